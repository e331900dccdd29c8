/// Networks of one detector.
struct DetectorNetworks: Sendable {
    /// Networks of each input shape.
    let eachShape: ModelNetworks
    /// Network that pictures of different shapes share; `nil` if they do not.
    let dynamicShape: ModelNetworks?
}
