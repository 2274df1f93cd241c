classdef Layer
    % What MATLAB's own class of this name has, as far as libgeluLayer uses it: Octave has none.
    properties
        Name = ''
        Description = ''
        Type = ''
        NumInputs = 1
        NumOutputs = 1
        InputNames = {}
        OutputNames = {}
    end
end
