% Draws both forms and their derivatives, and what the usual formula loses in the tail, into docs/gelu_octave.png:
%   octave-cli --path examples/matlab --path target/mex examples/matlab/example.m [FILE]
x = linspace(-4, 3, 1401);
one = ones(size(x));
tail = single(linspace(-9, -2, 701));
usual = tail / 2 .* (1 + erf(tail / sqrt(single(2))));

if exist('OCTAVE_VERSION', 'builtin')
    warning('off', 'Octave:gnuplot-graphics');
    graphics_toolkit('gnuplot');
    arguments = argv();
else
    arguments = {};
end
file = fullfile(fileparts(mfilename('fullpath')), '..', '..', 'docs', 'gelu_octave.png');
if ~isempty(arguments)
    file = arguments{end};
end

blue = [0 0.3 0.7];
red = [0.8 0.2 0.1];
light = [0.5 0.8 1];
pale = [1 0.7 0.5];
picture = figure('visible', 'off', 'paperunits', 'inches', 'paperposition', [0 0 10 4.5]);

subplot(1, 2, 1);
% The two forms lie on one another, so the tanh form is the wide line below.
lines = plot(x, gelu(x, 'Approximation', 'tanh'), x, gelu(x), ...
    x, gelu_backward(one, x, 'Approximation', 'tanh'), x, gelu_backward(one, x));
set(lines, {'color', 'linewidth'}, {light, 10; blue, 3; pale, 10; red, 3});
legend({'GELU, tanh', 'GELU', 'derivative, tanh', 'derivative'}, 'location', 'northwest');
xlabel('x');
title('Both forms and their derivatives');
axis([-4 3 -0.5 3]);

subplot(1, 2, 2);
lines = semilogy(tail, -gelu(tail, 'Approximation', 'tanh'), tail, -gelu(tail), tail(usual < 0), -usual(usual < 0), 'o');
set(lines(1), 'color', light, 'linewidth', 10);
set(lines(2), 'color', blue, 'linewidth', 3);
set(lines(3), 'color', red, 'markersize', 3);
legend({'GELU, tanh', 'GELU', 'x/2 (1 + erf(x/sqrt 2))'}, 'location', 'southeast');
xlabel('x');
title('The negative tail, -y in single precision');
set(gca, 'ytick', 10 .^ (-20:4:0));
axis([-9 -2 1e-20 1]);

print(picture, file, '-dpng', '-r110');
