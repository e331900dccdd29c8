internal import GlyphwireClient
internal import GlyphwireProtocol
internal import NIOCore
internal import NIOPosix
internal import SeededRandom

/// Runner of faulty clients against a server until it is cancelled.
struct FaultRunner: Sendable {
    /// Pause of a slow reader between two lines.
    private static let slowPause = Duration.seconds(1)
    /// Time between two connections that are cut.
    private static let cutPause = Duration.milliseconds(100)
    /// Number of overwritten bytes in a damaged payload.
    private static let damagedByteCount = 64

    let plan: FaultPlan
    let configuration: ReplayConfiguration
    /// Messages that faulty clients send.
    let batch: SessionFeed.Batch
    let tally: FaultTally

    func run() async {
        await withTaskGroup { group in
            for number in 0..<self.plan.slowReaders { group.addTask { await self.readSlowly(number) } }
            if let byteCount = self.plan.cutAfter { group.addTask { await self.cut(after: byteCount) } }
            if self.plan.reconnects > 0 { group.addTask { await self.reconnect() } }
            if self.plan.corrupt > 0 { group.addTask { await self.corrupt() } }
        }
    }

    private func connect(lineBuffer: Int = 64) async throws -> GlyphwireConnection {
        try await GlyphwireConnection.connect(
            host: self.configuration.host,
            port: self.configuration.port,
            configuration: GlyphwireConnection.Configuration(lineBuffer: lineBuffer, tls: self.configuration.tls)
        )
    }

    /// Repeats an action until it is cancelled, also after failures.
    private func `repeat`(every pause: Duration, _ body: () async throws -> Void) async {
        while !Task.isCancelled {
            do {
                try await body()
            } catch {
                if !Task.isCancelled { self.tally.update { $0.refused += 1 } }
            }
            try? await Task.sleep(for: pause)
        }
    }

    /// Sends the session repeatedly at its pace.
    private func send(
        on connection: GlyphwireConnection,
        number: Int,
        _ change: (inout Message) -> Void,
        sent: () -> Void
    ) async throws {
        var source = FrameSource(
            passes: nil,
            schedule: FrameSchedule(self.configuration.pace, stream: number),
            makeFeed: { [batch] in SessionFeed(batch) }
        )
        if let configure = try self.configuration.options.message() { try await connection.send(configure) }
        let start = ContinuousClock.now
        while let item = try await source.next() {
            switch item {
            case .frame(var message, _, let due):
                if let due { try await Task.sleep(until: start + due, clock: .continuous) }
                change(&message)
                try await connection.send(message)
                sent()
            case .other(let message):
                let isConfigure = message.header.type == MessageType.configure.rawValue
                try await connection.send(isConfigure ? self.configuration.options.applied(to: message) : message)
            }
        }
    }

    private func readSlowly(_ number: Int) async {
        await self.repeat(every: Self.slowPause) {
            let connection = try await self.connect(lineBuffer: 1)
            defer { connection.close() }
            try await withThrowingTaskGroup { group in
                group.addTask {
                    try await self.send(on: connection, number: number) { _ in
                    } sent: {
                        self.tally.update { $0.slowReaderFrames += 1 }
                    }
                }
                group.addTask {
                    for try await _ in connection.lines {
                        self.tally.update { $0.slowReaderLines += 1 }
                        try await Task.sleep(for: Self.slowPause)
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    private func cut(after byteCount: Int) async {
        var stream = ByteBuffer()
        for message in self.batch.messages where stream.readableBytes < byteCount { message.write(into: &stream) }
        let bytes = stream.readSlice(length: min(byteCount, stream.readableBytes)) ?? ByteBuffer()
        await self.repeat(every: Self.cutPause) {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: self.configuration.host, port: self.configuration.port).get()
            try? await channel.writeAndFlush(bytes)
            try? await channel.close()
            self.tally.update { $0.cuts += 1 }
        }
    }

    private func reconnect() async {
        await self.repeat(every: .seconds(1) / self.plan.reconnects) {
            try await self.connect().close()
            self.tally.update { $0.reconnects += 1 }
        }
    }

    private func corrupt() async {
        var chance = SplitMix64(self.plan.seed)
        // Payloads that are due to be damaged: the first frame is, and then one for each whole number.
        var due = 1.0
        await self.repeat(every: Self.cutPause) {
            let connection = try await self.connect()
            defer { connection.close() }
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for try await result in connection.results {
                        if case .error = result.outcome { self.tally.update { $0.corruptedErrors += 1 } }
                    }
                }
                defer { group.cancelAll() }
                try await self.send(on: connection, number: 0) { message in
                    defer { due += self.plan.corrupt }
                    guard due >= 1 else { return }
                    due -= 1
                    Self.damage(&message.payload, using: &chance)
                    self.tally.update { $0.corrupted += 1 }
                } sent: {
                }
            }
        }
    }

    /// Overwrites some bytes of a payload.
    private static func damage(_ payload: inout ByteBuffer, using chance: inout SplitMix64) {
        guard payload.readableBytes > 0 else { return }
        for _ in 0..<Self.damagedByteCount {
            let place = payload.readerIndex + Int.random(in: 0..<payload.readableBytes, using: &chance)
            payload.setInteger(UInt8.random(in: 0...255, using: &chance), at: place)
        }
    }
}
