import TextModel
import Testing

@testable import TextTracking

/// Random scenes, whose text must be reported as an exact engine would read it frame by frame, one frame later at most.
@Suite struct RandomSceneTests {
    private static let frameCount = 24

    @Test(arguments: 0..<24 as Range<UInt64>) func noTextIsLostStaleDoubledOrSplit(seed: UInt64) throws {
        var scene = RandomScene(seed: seed)
        let camera = Camera()
        var before = RandomScene.Shown()
        var ids: [String: UInt64] = [:]
        for frame in 0..<Self.frameCount {
            let reading = try camera.see(scene.scene, after: scene.interval)
            let shown = scene.shown
            let words = reading.lines.flatMap(\.words)
            let texts = words.map(\.text)
            let at: Comment = "seed \(seed), \(scene.rate) frames a second, frame \(frame): \(texts) of \(shown)"
            let due = frame == 0 ? shown.whole : shown.whole.intersection(before.whole)
            for text in due.sorted() {
                #expect(texts.count { $0 == text } == 1, "\(text) lost or doubled, \(at)")
                // A lone word that moved farther than its height may be another one with its text.
                guard scene.isSlow, let id = words.first(where: { $0.text == text })?.id else { continue }
                #expect(ids[text, default: id] == id, "\(text) has another id, \(at)")
                ids[text] = id
            }
            ids = ids.filter { due.contains($0.key) }
            let visible = shown.any.union(before.any)
            for text in texts {
                #expect(visible.contains { $0.contains(text) }, "\(text) is stale, \(at)")
                let isPiece = due.contains { $0 != text && $0.contains(text) }
                let isOther = visible.contains { !due.contains($0) && $0.contains(text) }
                #expect(!isPiece || isOther || due.contains(text), "\(text) is a piece, \(at)")
            }
            before = shown
            scene.next()
        }
    }
}
