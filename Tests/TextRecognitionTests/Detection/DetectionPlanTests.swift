import Testing

@testable import TextRecognition

@Suite struct DetectionPlanTests {
    private static let settings = DetectorSettings()
    private static let scaled = DetectorSettings(scale: 0.8)
    private static let sides = [
        1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 100, 319, 480, 639, 640, 641, 720, 1080, 1919, 1920, 1983, 1984, 1985, 2160,
        3840, 4320, 7680, 8191, 16384,
    ]

    private static func expectInput(of plan: DetectionPlan) {
        let shapes = plan.atlases.map(\.shape)
        #expect(Set(shapes).count == 1)
        #expect(plan.width >= 1 && plan.height >= 1)
        for shape in shapes {
            #expect(shape.width.isMultiple(of: 32) && shape.height.isMultiple(of: 32))
            #expect(max(shape.width, shape.height) <= DetectionPlan.maxInputSide)
            for (side, length) in [(plan.width, shape.width), (plan.height, shape.height)]
            where side <= DetectionPlan.maxInputSide {
                let isClose = min(plan.width, plan.height) <= 200
                #expect(side <= length && length - side < (isClose ? 32 + 24 : 32))
            }
        }
    }

    /// The long side, limited to twice the short one.
    private static func screen(_ plan: DetectionPlan) -> Float {
        let (short, long) = (min(plan.width, plan.height), max(plan.width, plan.height))
        return min(Float(long), 2 * Float(short) + 1)
    }

    @Test(arguments: [
        (1280, 720, 320, 180), (1920, 1080, 384, 216), (720, 1280, 144, 256), (4000, 3000, 341, 256),
        (640, 360, 285, 160),
    ])
    func largeLinesAreDetectedInAnInputForParts(width: Int, height: Int, mapWidth: Int, mapHeight: Int) throws {
        let plan = DetectionPlan(width: width, height: height, settings: Self.settings)
        let size = try #require(plan.largeLineMapSize)
        #expect(size == (mapWidth, mapHeight))
        #expect(TileAtlas.packing([size]).count == 1)
    }

    @Test func aSmallPictureHasNoRoomForLinesThatAreTooLarge() {
        #expect(DetectionPlan(width: 320, height: 100, settings: Self.settings).largeLineMapSize == nil)
        #expect(DetectionPlan(width: 1600, height: 340, settings: Self.settings).largeLineMapSize != nil)
    }

    @Test(arguments: sides)
    func everySizeGivesAnInputThatTheNetworkTakes(width: Int) {
        for height in Self.sides {
            let plan = DetectionPlan(width: width, height: height, settings: Self.settings)
            Self.expectInput(of: plan)
            #expect(Self.screen(plan) <= Float(Self.settings.maxLongSide) + 2)
            #expect(plan.width * plan.height <= Self.settings.maxArea + plan.width + plan.height)
        }
    }

    @Test(arguments: sides)
    func everySizeGivesAnInputThatTheNetworkTakesAtAScaleToo(width: Int) {
        for height in Self.sides {
            let plan = DetectionPlan(width: width, height: height, settings: Self.scaled)
            Self.expectInput(of: plan)
            #expect(Self.screen(plan) <= 0.8 * Float(Self.scaled.maxLongSide) + 2)
        }
    }

    @Test(
        arguments: [
            // Unscaled, enlarged, enlarged up to the maximum, reduced, and a strip.
            (1280, 720, 1024, 576), (640, 480, 683, 512), (200, 90, 320, 144), (2160, 3840, 893, 1587),
            (1000, 50, 1600, 80),
        ]
    )
    func theScaleAppliesToWhatTheLimitsGive(width: Int, height: Int, planWidth: Int, planHeight: Int) {
        let plan = DetectionPlan(width: width, height: height, settings: Self.scaled)
        #expect((plan.width, plan.height) == (planWidth, planHeight))
    }

    @Test(arguments: [0, 4, 20, 50, 200, 500] as [Float])
    func aCoarseScanHasHalfTheScaleWhateverHeightOfTextIsAskedFor(minTextHeight: Float) {
        for (width, height) in [(1280, 720), (640, 480), (3840, 2160)] {
            func scale(_ settings: DetectorSettings) -> Float {
                DetectionPlan(width: width, height: height, minTextHeight: minTextHeight, settings: settings)
                    .detectionScale.scale
            }
            #expect(abs(scale(Self.scaled.coarse) / scale(Self.scaled) - 0.5) < 0.001)
        }
    }

    @Test func sidesBetweenTheBoundsAreKept() {
        for (width, height) in [(1280, 720), (640, 640), (1984, 640), (700, 1900)] {
            let plan = DetectionPlan(width: width, height: height, settings: Self.settings)
            #expect((plan.width, plan.height) == (width, height))
        }
    }

    @Test func aSmallPictureGrowsUntilItsShortSideIsLongEnough() {
        let plan = DetectionPlan(width: 640, height: 480, settings: Self.settings)
        #expect((plan.width, plan.height) == (853, 640))
        #expect(plan.atlases.map(\.shape) == [InputShape(height: 640, width: 864)])
    }

    @Test func aVerySmallPictureIsEnlargedNoFurtherThanItHelps() {
        let plan = DetectionPlan(width: 200, height: 90, settings: Self.settings)
        #expect((plan.width, plan.height) == (400, 180))
    }

    @Test func aLargePictureShrinksToTheLongestSide() {
        let plan = DetectionPlan(width: 2160, height: 3840, settings: Self.settings)
        #expect((plan.width, plan.height) == (1116, 1984))
    }

    @Test(
        arguments: [
            // A ticker, a tall screenshot, a chat history, the longest part of a narrow page, a panorama.
            (3000, 60, 6000, 120), (600, 15000, 640, 16000), (300, 7500, 600, 15000), (1080, 20000, 992, 18370),
            (12000, 3000, 3968, 992),
        ]
    )
    func aStripIsScannedAsCloselyAsTheScreensThatItIsMadeOf(width: Int, height: Int, planWidth: Int, planHeight: Int) {
        let plan = DetectionPlan(width: width, height: height, settings: Self.settings)
        #expect((plan.width, plan.height) == (planWidth, planHeight))
        #expect(plan.atlases.count > 1)
    }

    @Test func noPictureIsLargerInAllThanTheLargestFrame() {
        for (width, height) in [(1440, 65535), (65535, 2000), (12032, 9024)] {
            for minTextHeight in [0, 4] as [Float] {
                let plan = DetectionPlan(
                    width: width,
                    height: height,
                    minTextHeight: minTextHeight,
                    settings: Self.settings
                )
                #expect(plan.width * plan.height <= Self.settings.maxArea + plan.width + plan.height)
            }
        }
    }

    @Test func theReductionOfAPictureIsReported() {
        func reduction(_ width: Int, _ height: Int, minTextHeight: Float = 0) -> Float {
            DetectionPlan(width: width, height: height, minTextHeight: minTextHeight, settings: Self.scaled).reduction
        }
        #expect(reduction(1280, 720) == 1)
        #expect(reduction(320, 200) == 1)
        #expect(reduction(600, 15000) == 1)
        #expect(abs(reduction(3968, 2000) - 0.5) < 0.01)
        #expect(abs(reduction(12032, 9024) - 0.165) < 0.01)
        #expect(reduction(3968, 2000, minTextHeight: 40) == 1)
        #expect(reduction(12032, 9024, minTextHeight: 5) < 0.8)
    }

    @Test func theRelativeCostOfPartsGrowsFromAFractionToAllOfIt() {
        let plan = DetectionPlan(width: 1280, height: 720, settings: Self.scaled)
        func cost(_ sizes: (Int, Int)...) -> Float {
            plan.relativeCost(ofParts: sizes.map { PixelRect(x: 0, y: 0, width: $0, height: $1) })
        }
        #expect(cost() == 0)
        #expect(cost((100, 50)) < 0.11)
        #expect(cost((100, 50), (200, 50)) == cost((100, 50)))
        #expect(cost((1280, 60)) < 0.35)
        #expect(cost((1280, 720)) > 1)
    }

    @Test(arguments: sides)
    func aTurnedPictureIsScannedAtTheSameScale(width: Int) {
        for height in Self.sides {
            let plan = DetectionPlan(width: width, height: height, settings: Self.settings)
            let turned = DetectionPlan(width: height, height: width, settings: Self.settings)
            #expect((turned.width, turned.height) == (plan.height, plan.width))
        }
    }
}
