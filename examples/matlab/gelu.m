function y = gelu(x, varargin)
% GELU  Gaussian Error Linear Unit of every element.
%   Y = GELU(X) is X/2 .* (1 + erf(X/sqrt(2))), to one unit in the last place for every X.
%   Y = GELU(X, 'Approximation', 'tanh') is X/2 .* (1 + tanh(sqrt(2/pi)*(X + 0.044715*X.^3))); the default of
%   Approximation is 'none'. In MATLAB GELU(X, Approximation="tanh") is the same.
%
%   X is real, full, and single or double. Y has the class and the size of X.
%
%   See also GELU_BACKWARD.
if nargin < 1
    error('gelu:arguments', 'Use gelu(x) or gelu(x, ''Approximation'', approximation).');
end
y = gelu_mex('forward', x, approximation_from(varargin));
end
