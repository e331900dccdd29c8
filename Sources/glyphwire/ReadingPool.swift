internal import Dispatch
internal import GlyphwireServer
internal import NIOConcurrencyHelpers
internal import TextRecognition

/// Pool of threads that read pictures, whose pages come in the order of the pictures.
///
/// Threads are ahead of the page that is awaited by a few pictures at most, so that pages take a bounded memory.
final class ReadingPool: Sendable {
    /// Pictures by which all threads together may be ahead, for each thread.
    private static let leadPerWorker = 4

    private struct State {
        /// The first picture that no thread has taken.
        var next = 0
        /// The pictures that are read and not delivered.
        var readings: [Int: PictureReader.Reading] = [:]
    }

    private let places: [PicturePlace]
    private let overlays: [String]
    private let workers: Int
    private let state = NIOLockedValueBox(State())
    private let room = DispatchSemaphore(value: 0)
    private let arrivals = DispatchSemaphore(value: 0)

    /// A pool for pictures.
    ///
    /// - Parameters:
    ///   - places: Where the pictures are.
    ///   - overlays: The paths of the pictures with boxes; none, or one for each picture.
    ///   - workers: The number of threads, at least 1.
    init(places: [PicturePlace], overlays: [String], workers: Int) {
        self.places = places
        self.overlays = overlays
        self.workers = workers
        // A semaphore that began with them could not be freed while pages are on their way.
        for _ in 0..<Self.leadPerWorker * workers { self.room.signal() }
    }

    /// Reads all pictures.
    ///
    /// - Parameters:
    ///   - engine: The engine.
    ///   - settings: The settings of each thread's reader.
    ///   - deliver: Takes each page in order.
    /// - Throws: ``GlyphwireServerError`` if the system refuses a thread, or what `deliver` throws.
    func read(
        with engine: any ReadingEngine,
        settings: PictureReader.Settings,
        deliver: (PictureReader.Reading) throws -> Void
    ) throws {
        // Where there are fewer pictures than threads, those take part in the work on one.
        let executor: any ParallelExecutor =
            self.places.count < self.workers ? ConcurrentExecutor() : InlineExecutor()
        for number in 0..<min(self.workers, self.places.count) {
            try WorkerThread.start(name: "reader-\(number)") {
                let reader = PictureReader(reader: engine.makeReader(executor: executor), settings: settings)
                while let index = self.take() { self.read(index, with: reader) }
            }
        }
        for index in self.places.indices {
            try deliver(self.wait(for: index))
            self.room.signal()
        }
    }

    /// The next picture, once there is room for its page; `nil` after the last.
    private func take() -> Int? {
        self.room.wait()
        let index = self.state.withLockedValue { state in
            state.next += 1
            return state.next - 1
        }
        return index < self.places.count ? index : nil
    }

    private func read(_ index: Int, with reader: borrowing PictureReader) {
        let overlay = self.overlays.isEmpty ? nil : self.overlays[index]
        let reading = reader.read(self.places[index], index: index, overlay: overlay)
        self.state.withLockedValue { $0.readings[index] = reading }
        self.arrivals.signal()
    }

    private func wait(for index: Int) -> PictureReader.Reading {
        while true {
            if let reading = self.state.withLockedValue({ $0.readings.removeValue(forKey: index) }) { return reading }
            self.arrivals.wait()
        }
    }
}

/// Executor on all cores.
private struct ConcurrentExecutor: ParallelExecutor {
    func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        DispatchQueue.concurrentPerform(iterations: count, execute: body)
    }
}
