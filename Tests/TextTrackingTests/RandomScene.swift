import SeededRandom
import TextModel

/// Random scene before a camera, frame by frame: signs that appear, vanish, fade, move, count and are covered, and cuts.
struct RandomScene {
    /// What a frame shows of the signs.
    struct Shown {
        /// Texts of signs that are visible as a whole.
        var whole: Set<String> = []
        /// Texts of which something may be visible.
        var any: Set<String> = []
    }

    private struct Actor {
        var sign: Scene.Sign
        /// Position and speed in pixels and pixels a second, beyond those of the camera.
        var x: Float
        var speed: Float = 0
        /// Change of its opacity in a second.
        var fading: Float = 0
        /// Number that it ends with, if it counts.
        var count: Int?
        var stem: String
    }

    private enum Tuning {
        static let rates = [1, 2, 5, 10, 15, 25, 30, 60]
        static let rowHeight = 44
        static let frame = (width: 480, height: 264)
        /// Largest speeds of the camera and of signs in pixels a second.
        static let maxPan: Float = 90, maxSpeed: Float = 120
        /// Margin within which an edge or a cover may hide a part of a letter, in pixels.
        static let margin = 6
    }

    /// Frames a second.
    let rate: Int
    private(set) var scene = Scene()
    private var random: SplitMix64
    private var actors: [Actor] = []
    private var pan = (x: Float(0), y: Float(0))
    private var panSpeed = (x: Float(0), y: Float(0))
    private var cover: (x: Float, y: Int, speed: Float)?
    private var names = 0

    init(seed: UInt64) {
        self.random = SplitMix64(seed)
        self.rate = Tuning.rates.randomElement(using: &self.random) ?? 30
        (self.scene.width, self.scene.height) = Tuning.frame
        self.scene.noise = Int.random(in: 0...3, using: &self.random)
        if Bool.random(using: &self.random) {
            self.panSpeed = (self.speed(Tuning.maxPan), self.speed(Tuning.maxPan / 2))
        }
        self.cut()
    }

    /// Whether nothing moves farther than the height of a letter between two frames.
    var isSlow: Bool { (Tuning.maxPan + Tuning.maxSpeed) / Float(self.rate) < Float(Scene.letterHeight) }

    /// Time between two frames.
    var interval: Duration { .microseconds(1_000_000 / self.rate) }

    /// What the frame shows.
    var shown: Shown {
        self.scene.signs.reduce(into: Shown()) { shown, sign in
            let isWhole = sign.opacity == 1 && sign.letters.allSatisfy { self.isWhole($0) }
            if isWhole { shown.whole.insert(sign.text) }
            if sign.opacity > 0 { shown.any.insert(sign.text) }
        }
    }

    /// Goes on to the next frame.
    mutating func next() {
        let step = 1 / Float(self.rate)
        self.pan = (self.pan.x + self.panSpeed.x * step, self.pan.y + self.panSpeed.y * step)
        for index in self.actors.indices {
            self.actors[index].x += self.actors[index].speed * step
            let opacity = self.actors[index].sign.opacity + self.actors[index].fading * step
            self.actors[index].sign.opacity = max(0, min(1, opacity))
        }
        self.actors.removeAll { $0.fading < 0 && $0.sign.opacity == 0 }
        if let cover = self.cover { self.cover?.x = cover.x + cover.speed * step }
        switch Int.random(in: 0..<40, using: &self.random) {
        case 0: self.cut()
        case 1, 2: self.appear(fading: 0)
        case 3, 4: self.appear(fading: 4)
        case 5: if !self.actors.isEmpty { self.actors.removeLast() }
        case 6, 7: self.change { $0.fading = -4 }
        case 8: self.change { $0.speed = $0.speed == 0 ? Tuning.maxSpeed : 0 }
        case 9: self.change { $0.count = $0.count ?? 100 }
        case 10: self.cover = (-60, Int.random(in: 0..<Tuning.frame.height, using: &self.random), 200)
        default: break
        }
        for index in self.actors.indices { self.actors[index].count? += 1 }
        self.draw()
    }

    private mutating func cut() {
        self.actors = []
        for _ in 0..<Int.random(in: 2...4, using: &self.random) { self.appear(fading: 0) }
        self.draw()
    }

    /// Adds a sign to a free row.
    private mutating func appear(fading: Float) {
        let used = Set(self.actors.map(\.sign.y))
        let rows = (0..<Tuning.frame.height / Tuning.rowHeight).map { Int(self.pan.y) + 12 + $0 * Tuning.rowHeight }
        let free = rows.filter { row in !used.contains { abs($0 - row) < Tuning.rowHeight } }
        guard let y = free.randomElement(using: &self.random) else { return }
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".shuffled(using: &self.random)
        let stem = String(letters.prefix(Int.random(in: 4...7, using: &self.random)))
        let x = self.pan.x + Float(Int.random(in: 12...240, using: &self.random))
        var sign = Scene.Sign(text: stem, x: Int(x), y: y)
        sign.opacity = fading > 0 ? 0 : 1
        self.actors.append(Actor(sign: sign, x: x, fading: fading, stem: stem))
    }

    private mutating func change(_ body: (inout Actor) -> Void) {
        guard let index = self.actors.indices.randomElement(using: &self.random) else { return }
        body(&self.actors[index])
    }

    private mutating func draw() {
        self.scene.seed = self.random.next()
        self.scene.pan = (Int(self.pan.x), Int(self.pan.y))
        self.scene.cover = self.cover.map { (Int($0.x), $0.y, 60, 40) }
        self.scene.signs = self.actors.map { actor in
            var sign = actor.sign
            sign.x = Int(actor.x)
            sign.text = actor.stem + (actor.count.map(String.init) ?? "")
            return sign
        }
    }

    private mutating func speed(_ limit: Float) -> Float { Float.random(in: -limit...limit, using: &self.random) }

    /// Whether no edge or cover is near a letter.
    private func isWhole(_ letter: Scene.Sign) -> Bool {
        let (left, top) = (letter.x - self.scene.pan.x, letter.y - self.scene.pan.y)
        let (right, bottom) = (left + Scene.letterWidth, top + Scene.letterHeight)
        let margin = Tuning.margin
        guard left >= margin, top >= margin, right <= self.scene.width - margin, bottom <= self.scene.height - margin
        else { return false }
        guard let cover = self.scene.cover else { return true }
        return right + margin < cover.x || bottom + margin < cover.y || left - margin > cover.x + cover.width
            || top - margin > cover.y + cover.height
    }
}
