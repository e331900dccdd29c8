/// How many frames ended in one way.
package struct StatusCount: Sendable, Codable, Equatable {
    /// What became of them.
    package var status: FrameStatus
    /// How many.
    package var count: Int

    static func list(_ outcomes: [FrameStatus: Int]) -> [StatusCount] {
        outcomes.sorted { $0.key < $1.key }.map { StatusCount(status: $0.key, count: $0.value) }
    }
}
