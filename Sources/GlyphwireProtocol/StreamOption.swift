/// Option of a `configure` body, by its name on the wire; in the order in which options are written and listed.
package enum StreamOption: String, Sendable, CaseIterable {
    case token, client, level, recognize, characters, coordinates, minimumTextHeight, regionOfInterest, regions
    case languages, candidates, delivery
    case deadline = "deadline_ms"
    case clockOffset = "clock_offset_us"
    case temporal
    case refresh = "refresh_ms"
    case find, report, customWords, characterSet, languageCorrection, unreadable, upright, damaged
}
