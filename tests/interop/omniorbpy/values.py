# SPDX-License-Identifier: Apache-2.0
"""The values of values.idl as the programs over omniORBpy implement them. After peer.load("values/values.idl")."""
import InteropValues as V
import omniORB


class Square(V.Square):
    def area(self):
        return self.side * self.side


class Label(V.Label):
    def title(self):
        return self.text


for _each in (Square, Label):
    omniORB.registerValueFactory(_each._NP_RepositoryId, _each)


def forget(*names):
    """This program has no factory for these."""
    for name in names:
        omniORB.unregisterValueFactory(f"IDL:InteropValues/{name}:1.0")


def leaf(number):
    return V.Tree(number, None, None)


def tree():
    return V.Tree(1, leaf(2), leaf(3))


def wider(kind, **more):
    return kind(number=7, text="in", real=1.5, branch=tree(), tail="tail", **more)


def longer(kind):
    """An Inbound or Outbound, whose last member is its tree once more."""
    made = wider(kind, last=9)
    made.more = made.branch
    return made


def ring(length):
    first = last = leaf(1)
    for number in range(2, length + 1):
        last.left = leaf(number)
        last = last.left
    last.left = first
    return first


def ring_length(start):
    at, steps = start, 0
    while at is not None and (at is not start or steps == 0) and steps < 100000:
        at, steps = at.left, steps + 1
    return steps if at is start else -1
