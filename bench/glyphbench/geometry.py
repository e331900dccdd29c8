"""Areas and overlaps of boxes. A box is a list of corners (x, y); all of them are taken for their convex hulls."""

from bisect import bisect_left

OVERLAP = 0.5


def hull(points):
    """The corners of the convex hull, in one turning direction."""
    points = sorted({(float(x), float(y)) for x, y in points})
    if len(points) < 3:
        return points

    def half(ordered):
        chain = []
        for point in ordered:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return half(points) + half(points[::-1])


def _turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def area(polygon):
    """The area inside a polygon, whichever way its corners go round."""
    pairs = zip(polygon, polygon[1:] + polygon[:1])
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)) / 2


def _cut(polygon, a, b):
    """What of a convex polygon lies on the left of the line from `a` to `b`."""
    kept = []
    for p, q in zip(polygon, polygon[1:] + polygon[:1]):
        of_p, of_q = _turn(a, b, p), _turn(a, b, q)
        if of_p >= 0:
            kept.append(p)
        if of_p * of_q < 0:
            share = of_p / (of_p - of_q)
            kept.append((p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])))
    return kept


class Box:
    """A convex box, with what is asked of it often worked out once."""

    __slots__ = ("corners", "area", "left", "top", "right", "bottom", "is_level")

    def __init__(self, points):
        self.corners = hull(points)
        self.area = area(self.corners)
        xs, ys = [p[0] for p in self.corners], [p[1] for p in self.corners]
        self.left, self.top, self.right, self.bottom = min(xs), min(ys), max(xs), max(ys)
        self.is_level = len(self.corners) == 4 and len(set(xs)) == 2 and len(set(ys)) == 2

    @classmethod
    def level(cls, left, top, right, bottom):
        """A box whose sides run along the picture's."""
        return cls([(left, top), (right, top), (right, bottom), (left, bottom)])

    def shared(self, other):
        """The area that both cover."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        if width <= 0 or height <= 0 or not self.area or not other.area:
            return 0.0
        if self.is_level and other.is_level:
            return width * height
        rest = self.corners
        for a, b in zip(other.corners, other.corners[1:] + other.corners[:1]):
            rest = _cut(rest, a, b)
            if len(rest) < 3:
                return 0.0
        return area(rest)

    def iou(self, other):
        """Intersection over union, 0...1."""
        shared = self.shared(other)
        return shared / (self.area + other.area - shared) if shared else 0.0


def pairs(first, second, overlap=OVERLAP):
    """Pairs boxes of two lists one to one, the best overlaps first: (index, index) with an IoU of `overlap` or more."""
    order = sorted(range(len(second)), key=lambda j: second[j].left)
    widest = max((box.right - box.left for box in second), default=0)
    found = []
    lefts = [second[j].left for j in order]
    for i, box in enumerate(first):
        for k in range(bisect_left(lefts, box.left - widest), len(order)):
            if lefts[k] >= box.right:
                break
            iou = box.iou(second[order[k]])
            if iou >= overlap:
                found.append((iou, i, order[k]))
    taken_first, taken_second, matched = set(), set(), []
    for _, i, j in sorted(found, key=lambda each: (-each[0], each[1], each[2])):
        if i not in taken_first and j not in taken_second:
            taken_first.add(i)
            taken_second.add(j)
            matched.append((i, j))
    return matched
