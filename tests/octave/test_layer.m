% Run by tests/octave.rs: the layer for MATLAB, derived from the class beside this file.
layer = libgeluLayer();
x = single(linspace(-6, 3, 24));
dy = single(linspace(-1, 1, 24));
x = reshape(x, 2, 3, 4);
dy = reshape(dy, 2, 3, 4);
assert(strcmp(layer.Approximation, 'none') && isempty(layer.Name));
assert(isequal([layer.NumInputs, layer.NumOutputs], [1 1]));
assert(isequal({layer.InputNames{:}, layer.OutputNames{:}}, {'in', 'out'}));
for form = {'none', 'tanh'}
    layer = libgeluLayer('Name', 'a layer', 'Approximation', form{1});
    assert(strcmp(layer.Name, 'a layer') && strcmp(layer.Approximation, form{1}));
    z = layer.predict(x);
    assert(isequal(z, gelu(x, 'Approximation', form{1})));
    [z_of_training, memory] = layer.forward(x);
    assert(isequal(z_of_training, z) && isempty(memory));
    assert(isequal(layer.backward(x, z, dy, memory), gelu_backward(dy, x, 'Approximation', form{1})));
end
layer.Approximation = 'NONE';
assert(strcmp(layer.Approximation, 'none'));
for wrong = {@() libgeluLayer('Approximation', 'erf'), @() libgeluLayer('Form', 'tanh'), @() libgeluLayer('Name')}
    try
        wrong{1}();
    catch problem
        assert(strncmp(problem.identifier, 'gelu:', 5));
        continue
    end
    error('%s is no error', func2str(wrong{1}));
end
disp('passed');
