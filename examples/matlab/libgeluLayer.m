classdef libgeluLayer < nnet.layer.Layer
    % LIBGELULAYER  GELU layer for MATLAB's Deep Learning Toolbox that computes with libgelu, on the processor.
    %   LAYER = LIBGELULAYER creates it; LIBGELULAYER('Name', NAME, 'Approximation', 'tanh') sets its name and its form, as
    %   geluLayer does. Training uses the gradient of the form, not automatic differentiation.
    %
    %   It has not been run in MATLAB. (README.md says what has been checked.)

    properties
        % 'none' for the exact form, or 'tanh'
        Approximation = 'none'
    end

    methods
        function layer = libgeluLayer(varargin)
            layer.NumInputs = 1;
            layer.NumOutputs = 1;
            layer.InputNames = {'in'};
            layer.OutputNames = {'out'};
            layer.Type = 'GELU';
            layer.Description = 'Gaussian error linear unit (GELU) activation by libgelu';
            if mod(numel(varargin), 2) ~= 0
                error('gelu:arguments', 'Options come with their values.');
            end
            for i = 1:2:numel(varargin)
                switch lower(char(varargin{i}))
                    case 'name'
                        layer.Name = char(varargin{i + 1});
                    case 'approximation'
                        layer.Approximation = char(varargin{i + 1});
                    otherwise
                        error('gelu:arguments', 'The options are ''Name'' and ''Approximation''.');
                end
            end
        end

        function layer = set.Approximation(layer, value)
            value = lower(char(value));
            if ~any(strcmp(value, {'none', 'tanh'}))
                error('gelu:approximation', 'Approximation is neither ''none'' nor ''tanh''.');
            end
            layer.Approximation = value;
        end

        function Z = predict(layer, X)
            Z = like(gelu(plain(X), 'Approximation', layer.Approximation), X);
        end

        function [Z, memory] = forward(layer, X)
            Z = predict(layer, X);
            memory = [];
        end

        function dLdX = backward(layer, X, ~, dLdZ, ~)
            dLdX = like(gelu_backward(plain(dLdZ), plain(X), 'Approximation', layer.Approximation), X);
        end
    end
end

function x = plain(X)
% The numbers of X. The layer has a gradient of its own, so nothing is lost where a dlarray is unwrapped.
x = X;
if isa(x, 'dlarray')
    x = extractdata(x);
end
if isa(x, 'gpuArray')
    error('gelu:gpu', 'libgelu computes on the processor: train with ExecutionEnvironment "cpu", or gather the array.');
end
end

function Z = like(z, X)
Z = z;
if isa(X, 'dlarray')
    Z = dlarray(z, dims(X));
end
end
