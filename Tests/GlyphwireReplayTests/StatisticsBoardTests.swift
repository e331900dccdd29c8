import GlyphwireProtocol
import Testing

@testable import GlyphwireReplay

@Suite struct StatisticsBoardTests {
    private let start = ContinuousClock.now

    /// A board of streams that start 50 ms after one another.
    private func board(streams: Int = 2, warmup: Duration = .zero) -> StatisticsBoard {
        StatisticsBoard(
            starts: (0..<streams).map { self.start + .milliseconds(50 * $0) },
            deadline: .milliseconds(500),
            measuredFrom: self.start + warmup,
            log: nil
        )
    }

    private func frame(_ status: FrameStatus, stream: Int, dueAt milliseconds: Int) -> FrameRecord {
        FrameRecord(
            stream: stream,
            sequence: 0,
            recordedSequence: 0,
            status: status,
            dueAt: self.start + .milliseconds(milliseconds),
            sentAt: self.start + .milliseconds(milliseconds),
            endedAt: self.start + .milliseconds(milliseconds + 10)
        )
    }

    private func age(on board: StatisticsBoard, at milliseconds: Int) -> Duration? {
        board.takeRecent(at: self.start + .milliseconds(milliseconds)).age
    }

    @Test func aConnectionWithoutAnyTextHasTheAgeOfItsFirstFrame() {
        let board = self.board()
        #expect(self.age(on: board, at: -1) == nil)
        #expect(self.age(on: board, at: 20) == .milliseconds(20))
        board.frameEnded(self.frame(.ok, stream: 0, dueAt: 900))
        board.frameEnded(self.frame(FrameStatus("dropped"), stream: 1, dueAt: 950))
        #expect(self.age(on: board, at: 1000) == .milliseconds(950))
        board.frameEnded(self.frame(.ok, stream: 1, dueAt: 1050))
        #expect(self.age(on: board, at: 1100) == .milliseconds(200))
    }

    @Test func framesAreCountedByConnection() {
        let board = self.board()
        for stream in [0, 0, 1, 1, 1] { board.frameEnded(self.frame(.ok, stream: stream, dueAt: 100)) }
        board.frameEnded(self.frame(.lost, stream: 0, dueAt: 200))
        #expect(board.shares.map(\.offered) == [3, 3])
        #expect(board.shares.map(\.ok) == [2, 3])
        #expect(board.shares.worst?.connection == 1)
        #expect(self.board(streams: 1).shares.worst == nil)
    }

    @Test func framesThatAreLostInTheWarmUpBelongToIt() {
        let board = self.board(warmup: .seconds(1))
        for due in [0, 500, 1000] { board.frameEnded(self.frame(.lost, stream: 0, dueAt: due)) }
        #expect(board.warmUpFrames == 2)
        #expect(board.total.offered == 1)
        #expect(board.shares.map(\.offered) == [1, 0])
    }
}
