/// What a character's height says of whether it is as high as a capital or as a small letter without ascender.
enum CharacterHeight {
    /// The share of a capital's height in the middle between capitals and small letters: x-heights are 0.65 to 0.78 of it,
    /// small capitals up to 0.85.
    private static let middle: Float = 0.87
    /// Log-odds for each height of a capital above or below, and at most.
    private static let slope: Float = 20
    private static let most: Float = 2.5

    /// The log-odds of a reading by how high its ink is, in heights of a capital.
    static func logOdds(of text: Character, height: Float) -> Float {
        let odds = max(-self.most, min(self.most, self.slope * (height - self.middle)))
        if "aceimnorsuvwxz".contains(text) { return -odds }
        return text.isUppercase || text.isWholeNumber || "bdfhklt".contains(text) ? odds : 0
    }
}
