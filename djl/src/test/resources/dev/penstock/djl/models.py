"""Makes the models of DjlModelTest, next to this file, with torch 2.15.0."""

from pathlib import Path

import torch


class Linear(torch.nn.Module):
    """y = x w + b, with w = [[1, 2], [3, 4], [5, 6]] and b = [0.5, -0.5]."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(3, 2)
        with torch.no_grad():
            self.linear.weight.copy_(torch.tensor([[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]))
            self.linear.bias.copy_(torch.tensor([0.5, -0.5]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x)


class Several(torch.nn.Module):
    """Two inputs; outputs of several types, by name; and one that is an input."""

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
        return {
            "sum": a + b,
            "long": (a + b).long(),
            "int": a.int(),
            "byte": a.to(torch.uint8),
            "double": a.double(),
            "half": a.half(),
            "bool": a > b,
            "same": a,
        }


class Pair(torch.nn.Module):
    """A tuple, and an argument that may be left out."""

    def forward(
        self, x: torch.Tensor, scale: float = 2.0
    ) -> tuple[torch.Tensor, torch.Tensor]:
        return x * scale, x[:, 0]


class Mean(torch.nn.Module):
    """An output that is not by row."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.mean(0)


folder = Path(__file__).parent
for module in (Linear(), Several(), Pair(), Mean()):
    name = type(module).__name__.lower()
    torch.jit.script(module.eval()).save(str(folder / f"{name}.pt"))
torch.save(Linear().state_dict(), folder / "state.pt")
