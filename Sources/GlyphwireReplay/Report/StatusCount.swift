/// Number of frames with one status.
package struct StatusCount: Sendable, Codable, Equatable {
    /// Status of the frames.
    package var status: FrameStatus
    /// Number of frames.
    package var count: Int

    static func list(_ outcomes: [FrameStatus: Int]) -> [StatusCount] {
        outcomes.sorted { $0.key < $1.key }.map { StatusCount(status: $0.key, count: $0.value) }
    }
}
