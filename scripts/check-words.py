#!/usr/bin/env python3
"""Checks that the sources speak the field's language: no private word where a standard term exists.

    scripts/check-words.py [FOLDER...]

Prints each private word in Swift code and comments (Sources by default), with the term to use, and fails then.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Kept on purpose, since they are terms of the field, of the protocol or of a standard: "upright" (orientation option and
# coordinate space of Protocol.md), "answer" (of a server), "picture", "shelf" and "piece" (strip packing, fork-join jobs),
# "reach", "measure", "ink" (of a character), "guess" (`too_many_guesses`), "whose" where it relates two nouns.
TERMS = {
    r"told|tells?": "report, emit, show",
    r"doubt\w*": "reject, uncertain",
    r"shown out|sent away": "closed",
    r"strangers?|visitors?|crowds?": "foreign protocol, peer, client",
    r"overt(?:ook|aken)": "superseded",
    r"turnstile|turned away": "semaphore, refused",
    r"nearly ?read": "near miss",
    r"so many|so much": "number of, a number",
    r"way up": "orientation",
    r"(?<!three )quarters": "quarter turns",
    r"(?:un)?settled?|settles": "converged, decided",
    r"recognis\w*|straightened": "recognize, rectified",
    r"nobody|somebody|anybody|whoever": "no client, the caller",
    r"anew": "again",
    r"greet\w*|farewell": "hello, goaway",
    r"manners|attention|patien(?:t|ce)|fates?|hasten\w*": "scheduling class, reservation window, timeouts, status, fuse",
    r"helpers?|SharedWork": "executor, fork-join job",
    r"lends?|lent|LoanPool": "pool",
    r"reference frames?|isSparing": "keyframe, low memory",
    r"LineCore|DetectionSheet|SheetReader|DetectionMaps": "text kernel, tile atlas, DB postprocessor, probability maps",
    r"ClassScores|LineEvidence|SecondReading": "logits, forced alignment, recognition cascade",
    r"WayUp|InkMap|InkBox|LinePiece": "orientation, foreground mask, bounding box, connected component",
    r"LetterCutter|CharacterPlacer|GlyphWidth": "character splitter, character localizer, advance width",
    r"PackedWeights|ByteConvolutions": "int8 dequantization, int8 quantization",
    r"EdgeDepths|RestingParts|IllegiblePlaces|LostWords|FrameTurn": "disoccluded border, back-off regions, negative cache, "
    "re-identification buffer, orientation tracker",
    r"FrameFate|AddressBook|Peer(?:Patience|Probe)|DoorHandler|isStranger": "frame status, connection limiter, timeouts, "
    "TCP keep-alive, preamble handler, foreign protocol",
    r"(?-i:(?:most|least)(?!NormalMagnitude)[A-Z]\w*)": "max…, min…",
}
pattern = re.compile("|".join(rf"(?P<t{i}>\b(?:{word})\b)" for i, word in enumerate(TERMS)), re.IGNORECASE)
terms = list(TERMS.values())
folders = [Path(name).resolve() for name in sys.argv[1:]] or [ROOT / "Sources"]
failed = False
for path in sorted(path for folder in folders for path in folder.rglob("*.swift")):
    for number, line in enumerate(path.read_text().split("\n"), 1):
        for match in pattern.finditer(line):
            print(f"{path.relative_to(ROOT)}:{number}: \"{match[0]}\": {terms[int(match.lastgroup[1:])]}")
            failed = True
sys.exit(failed)
