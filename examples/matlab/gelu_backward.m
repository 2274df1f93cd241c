function dx = gelu_backward(dy, x, varargin)
% GELU_BACKWARD  Gradient of GELU: DY times its derivative at X.
%   DX = GELU_BACKWARD(DY, X) is DY .* (Phi(X) + X .* phi(X)), to 1.5 units in the last place.
%   DX = GELU_BACKWARD(DY, X, 'Approximation', 'tanh') belongs to the tanh form.
%
%   DY and X are real, full, both single or both double, and of one size, which is that of DX.
%
%   See also GELU.
if nargin < 2
    error('gelu:arguments', 'Use gelu_backward(dy, x) or gelu_backward(dy, x, ''Approximation'', approximation).');
end
dx = gelu_mex('backward', dy, x, approximation_from(varargin));
end
