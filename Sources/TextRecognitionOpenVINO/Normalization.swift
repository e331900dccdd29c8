/// Normalization of input bytes: less `mean`, divided by `deviation`.
struct Normalization: Sendable {
    /// Mean of blue, green and red.
    var mean: [Float]
    /// Deviation of blue, green and red.
    var deviation: [Float]
}
