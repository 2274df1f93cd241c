"""examples/python/gelu.py beside PyTorch, whose two forms are the same. It is run as test_gelu.py is."""

import unittest

import numpy as np

import gelu

try:
    import torch
except ImportError:
    torch = None


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Torch(unittest.TestCase):
    def assert_within(self, ulps, got, expected):
        self.assertLessEqual(np.max(np.abs(got - expected) / np.spacing(np.abs(expected))), ulps)

    def both(self, low, high, form):
        """x in double, torch's results, and this module's."""
        x, dy = np.random.default_rng(1).uniform((low, 0.5), (high, 2), (100_000, 2)).T
        tensor = torch.from_numpy(x.copy()).requires_grad_()
        y = torch.nn.functional.gelu(tensor, approximate=form)
        y.backward(torch.from_numpy(dy.copy()))
        return (y.detach().numpy(), tensor.grad.numpy()), (gelu.forward(x, form), gelu.backward(dy, x, form))

    def test_results_are_those_of_torch_where_it_is_accurate(self):
        for form in ("none", "tanh"):
            with self.subTest(form=form):
                # Torch adds 1 to erf or tanh: from -1 to the left that costs more and more bits.
                (expected, _), (got, _) = self.both(-1, 12, form)
                self.assert_within(6, got, expected)
                # The derivative has a zero near -0.75, and from 2 on torch multiplies the error of 1 - tanh^2.
                (_, expected), (_, got) = self.both(-0.25, 2, form)
                self.assert_within(6, got, expected)

    def test_a_tensor_and_its_array_share_memory_so_that_a_call_may_write_to_it(self):
        tensor = torch.full((2, 3), -6.0)
        gelu.forward(tensor.numpy(), out=tensor.numpy())
        self.assertTrue(torch.all(tensor == float.fromhex("-0x1.96c966p-28")))


if __name__ == "__main__":
    unittest.main()
