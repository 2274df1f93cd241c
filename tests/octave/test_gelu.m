% Run by tests/octave.rs with a folder of arguments and results of the C functions, which those of the gateway are to have by
% bits: <function>_<form>_<class>.bin holds x, dy and the result. Prints "passed" at the end.
folder = argv(){end};

function check(what, yes)
    if ~yes
        error('test:failed', '%s', what);
    end
end

function same(what, got, expected)
    check([what ': class'], strcmp(class(got), class(expected)));
    check([what ': size'], isequal(size(got), size(expected)));
    unsigned = struct('single', 'uint32', 'double', 'uint64');
    type = unsigned.(class(got));
    check([what ': bits'], isequal(typecast(got(:), type), typecast(expected(:), type)));
end

function expect(identifier, call)
    try
        call();
    catch problem
        check([func2str(call) ' gives ' problem.identifier ': ' problem.message], strcmp(problem.identifier, identifier));
        check('an error has words', numel(problem.message) > 20);
        return
    end
    error('test:failed', '%s is no error', func2str(call));
end

function [x, dy, y] = results(folder, name, class)
    file = fopen(fullfile(folder, [name '_' class '.bin']));
    all = fread(file, Inf, [class '=>' class]);
    fclose(file);
    n = numel(all) / 3;
    [x, dy, y] = deal(all(1:n), all(n + 1:2 * n), all(2 * n + 1:end));
end

% Arrays share their memory until one of them changes.
function b = copy(a)
    b = a;
    b(1) = 0;
    b(1) = a(1);
end

function check_values(folder)
    for class = {'single', 'double'}
        for form = {'none', 'tanh'}
            [x, dy, y] = results(folder, ['forward_' form{1}], class{1});
            same('forward', gelu(x, 'Approximation', form{1}), y);
            same('forward of a row', gelu(x.', 'approximation', upper(form{1})), y.');
            shaped = @(v) reshape(v(1:60), [3 1 4 5]);
            same('forward of four dimensions', gelu(shaped(x), 'Approximation', form{1}), shaped(y));
            [x, dy, dx] = results(folder, ['backward_' form{1}], class{1});
            [before_x, before_dy] = deal(copy(x), copy(dy));
            same('backward', gelu_backward(dy, x, 'Approximation', form{1}), dx);
            same('backward of four dimensions', gelu_backward(shaped(dy), shaped(x), 'Approximation', form{1}), shaped(dx));
            same('x is as it was', x, before_x);
            same('dy is as it was', dy, before_dy);
            if strcmp(form{1}, 'none')
                same('the default', gelu(x), y);
                same('the default of the gradient', gelu_backward(dy, x), dx);
            end
        end
        for size = {[0 0], [0 3], [3 0 2]}
            empty = zeros(size{1}, class{1});
            same('empty', gelu(empty), empty);
            same('an empty gradient', gelu_backward(empty, empty), empty);
        end
    end
end

function check_errors()
    x = [1 2; 3 4];
    for value = {int32(1), uint8(1), true, 'x', {1}, struct(), @sin}
        expect('gelu:class', @() gelu(value{1}));
        expect('gelu:class', @() gelu_backward(value{1}, x));
        expect('gelu:class', @() gelu_backward(x, value{1}));
    end
    expect('gelu:class', @() gelu_backward(single(x), x));
    expect('gelu:complex', @() gelu(1i));
    expect('gelu:complex', @() gelu_backward(x, x + 1i));
    expect('gelu:sparse', @() gelu(sparse(x)));
    expect('gelu:sparse', @() gelu_backward(sparse(x), x));
    expect('gelu:size', @() gelu_backward([1 2 3 4], x));
    expect('gelu:size', @() gelu_backward(1, x));
    expect('gelu:size', @() gelu_backward(zeros(2, 2, 2), x));
    for value = {'erf', '', repmat('tanh', 1, 1000), ['tanh'; 'tanh'], 1, {'tanh'}, []}
        expect('gelu:approximation', @() gelu(x, 'Approximation', value{1}));
        expect('gelu:approximation', @() gelu_mex('forward', x, value{1}));
    end
    expect('gelu:arguments', @() gelu());
    expect('gelu:arguments', @() gelu_backward(x));
    expect('gelu:arguments', @() gelu(x, 'tanh'));
    expect('gelu:arguments', @() gelu(x, 'Form', 'tanh'));
    expect('gelu:arguments', @() gelu(x, 'Approximation', 'tanh', 'Approximation', 'tanh'));
    expect('gelu:arguments', @() gelu_mex());
    expect('gelu:arguments', @() gelu_mex('sideways', x, 'none'));
    expect('gelu:arguments', @() gelu_mex('forward', x));
    expect('gelu:arguments', @() gelu_mex('backward', x, 'none'));
    expect('gelu:arguments', @() gelu_mex(x, x, x, x, x, x));
end

% Large enough for several threads, and the gateway stays in memory over all that clear can do.
function check_clear()
    large = -single(linspace(0, 12, 400000));
    expected = gelu(large);
    for i = 1:20
        clear all
        large = -single(linspace(0, 12, 400000));
        y = gelu(large);
        if i == 1
            first = y;
        end
        if ~mislocked('gelu_mex') || ~isequal(typecast(y, 'uint32'), typecast(gelu(large), 'uint32'))
            error('test:failed', 'after clear all');
        end
    end
end

check_values(folder);
check_errors();
check_clear();
disp('passed');
