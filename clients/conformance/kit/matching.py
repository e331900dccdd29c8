"""How a line matches what a vector expects; Tests/Vectors/README.md has the rules."""

import json

ABSENT = object()


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def mismatch(expected, found, where="line"):
    """What is wrong with `found`, in words; None if nothing is."""
    if isinstance(expected, dict) and any(name.startswith("$") for name in expected):
        return None if follows(expected, found, where) else f"{where}: {show(found)} does not match {show(expected)}"
    if isinstance(expected, dict) and isinstance(found, dict):
        flaws = (mismatch(value, found.get(name, ABSENT), f"{where}.{name}") for name, value in expected.items())
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        flaws = (mismatch(e, f, f"{where}[{i}]") for i, (e, f) in enumerate(zip(expected, found)))
    elif is_number(expected) and is_number(found):
        flaws = [] if expected == found else [f"{where}: {found} instead of {expected}"]
    else:
        same = type(expected) is type(found) and expected == found
        flaws = [] if same else [f"{where}: {show(found)} instead of {show(expected)}"]
    return next((flaw for flaw in flaws if flaw), None)


def follows(rule, found, where):
    if "$absent" in rule:
        return found is ABSENT
    if "$contains" in rule:
        return isinstance(found, str) and rule["$contains"] in found
    if "$near" in rule:
        wanted = rule["$near"]
        return (
            isinstance(found, list)
            and len(found) == len(wanted)
            and all(map(is_number, found))
            and all(abs(f - w) <= rule["within"] for f, w in zip(found, wanted))
        )
    if "$prefix" in rule:
        wanted = rule["$prefix"]
        return isinstance(found, list) and mismatch(wanted, found[: len(wanted)], where) is None
    if "$type" in rule:
        return {
            "integer": isinstance(found, int) and not isinstance(found, bool) and found >= 0,
            "number": is_number(found),
            "string": isinstance(found, str),
        }[rule["$type"]]
    raise ValueError(f"no such rule: {rule}")


def show(value):
    return "nothing" if value is ABSENT else json.dumps(value, ensure_ascii=False)
