/// Reading of a line in the direction that was tried first.
struct FirstReading {
    let quarterTurns: Int
    let reading: RecognizedLine
}
