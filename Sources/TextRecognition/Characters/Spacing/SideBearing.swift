/// Side bearings: the space on either side of a glyph within its advance width, on average over typefaces.
///
/// In capital heights; the medians over 79 proportional faces of 40 families, serif and sans-serif, as Debian
/// packages them, rounded to classes.
struct SideBearing {
    /// Left side bearing.
    let left: Float
    /// Right side bearing.
    let right: Float

    /// Looks up the side bearings of a character.
    init(of character: String) {
        (self.left, self.right) =
            switch character {
            case "A", "V", "W", "X", "Y", "v", "w", "x", "y", "/", "\\", "_", "–", "—", "€": (0.01, 0.01)
            case "T", "t", "Z", "z", "£", "4": (0.03, 0.03)
            case "f": (0.03, -0.01)
            case "J": (0.01, 0.08)
            case "j": (-0.04, 0.1)
            case "K", "R", "k", "r": (0.08, 0.01)
            case "B", "D", "E", "F", "L", "P", "b", "p": (0.08, 0.05)
            case "d", "q": (0.05, 0.07)
            case "H", "I", "M", "N", "U", "h", "i", "l", "m", "n", "u", "'", "\"", "+", "=", "«", "»": (0.075, 0.075)
            case "(", "[", "{": (0.09, 0.05)
            case ")", "]", "}": (0.05, 0.09)
            case ",": (0.065, 0.085)
            case "1", "!", "|": (0.115, 0.125)
            case ".", ":", ";", "·", "•": (0.09, 0.09)
            // CJK punctuation and full-width forms fill a part of a square.
            case "，", "。", "、", "：", "；", "！", "？", "）", "」", "』", "】", "》": (0.1, 0.5)
            case "（", "「", "『", "【", "《": (0.5, 0.1)
            default: (0.05, 0.05)
            }
    }
}
