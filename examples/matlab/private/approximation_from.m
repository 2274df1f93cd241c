function approximation = approximation_from(options)
% The value of the option Approximation, 'none' without one; case does not matter, as in MATLAB's own gelu.
approximation = 'none';
if isempty(options)
    return
end
if numel(options) ~= 2 || ~is_text(options{1}) || ~strcmpi(options{1}, 'Approximation')
    error('gelu:arguments', 'The only option is ''Approximation'', with its value behind it.');
end
if ~is_text(options{2})
    error('gelu:approximation', 'Approximation is neither ''none'' nor ''tanh''.');
end
% MATLAB's strings are not char arrays, which the gateway takes.
approximation = lower(char(options{2}));
end

function yes = is_text(value)
yes = (ischar(value) && size(value, 1) == 1) || (isa(value, 'string') && isscalar(value));
end
