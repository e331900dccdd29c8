// swift-tools-version: 6.2
import PackageDescription

/// Where `make setup` puts the OpenVINO runtime: headers under `include`, libraries under `lib`.
let openVINO = Context.environment["GLYPHWIRE_OPENVINO"] ?? "\(Context.packageDirectory)/.deps/openvino"

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Per-pixel loops are optimised in debug builds too: without it a test that reads a real picture takes minutes.
let pixelLoops: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// SwiftPM drops `-rpath` from pkg-config files, so what runs the engine is told here where its libraries are.
let findsOpenVINO: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "\(openVINO)/lib"])]

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]
let locks: Target.Dependency = .product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let tls: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let histogram: Target.Dependency = .product(name: "Histogram", package: "hdrhistogram-swift")
let hummingbird: [Target.Dependency] = [
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HummingbirdCore", package: "hummingbird"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
]
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "glyphwire",
    products: [
        .executable(name: "glyphwire", targets: ["glyphwire"]),
        .executable(name: "glyphwire-replay", targets: ["glyphwire-replay"]),
        .library(name: "GlyphwireClient", targets: ["GlyphwireClient"]),
        .library(name: "GlyphwireProtocol", targets: ["GlyphwireProtocol"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CLibJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg62-turbo-dev"])]),
        .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "COpenVINO"),

        .target(
            name: "GlyphwireProtocol",
            dependencies: [.product(name: "NIOCore", package: "swift-nio")],
            swiftSettings: strict
        ),
        .target(name: "CJPEG", dependencies: ["CLibJPEG"]),
        .target(
            name: "FrameCodecs",
            dependencies: ["GlyphwireProtocol", "CJPEG", "CTurboJPEG", "CLZ4", "CPNG", "CZlib"],
            swiftSettings: strict + [.strictMemorySafety()]
        ),
        .target(
            name: "FrameOverlay",
            dependencies: ["GlyphwireProtocol", "FrameCodecs"],
            swiftSettings: strict
        ),
        .target(
            name: "TextFormats",
            dependencies: ["GlyphwireProtocol", .product(name: "NIOCore", package: "swift-nio")],
            swiftSettings: strict
        ),
        .target(
            name: "TextEngine",
            dependencies: ["GlyphwireProtocol", "FrameCodecs", locks],
            swiftSettings: pixelLoops
        ),
        .target(
            name: "TextEngineOpenVINO",
            dependencies: ["TextEngine", "COpenVINO", locks],
            swiftSettings: strict + [.strictMemorySafety(), .unsafeFlags(["-Xcc", "-I\(openVINO)/include"])],
            linkerSettings: [.unsafeFlags(["-L\(openVINO)/lib"])]
        ),
        .target(
            name: "TextStream",
            dependencies: ["GlyphwireProtocol", "FrameCodecs", "TextEngine"],
            swiftSettings: pixelLoops
        ),
        .target(
            name: "GlyphwireServer",
            dependencies: [
                "GlyphwireProtocol", "FrameCodecs", "TextEngine", "TextStream", logging, metrics, lifecycle, histogram,
                locks, tls,
            ]
                + nio,
            resources: [.embedInCode("Resources/selftest.jpg")],
            swiftSettings: strict
        ),
        .target(
            name: "GlyphwireHTTP",
            dependencies: [
                "GlyphwireProtocol", "GlyphwireServer", "FrameCodecs", "TextFormats", logging, metrics, lifecycle,
                locks,
                tls,
            ] + nio + hummingbird,
            resources: [
                .embedInCode("Resources/live.html"), .embedInCode("Resources/live.css"),
                .embedInCode("Resources/live.js"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "GlyphwireClient",
            dependencies: ["GlyphwireProtocol", tls, locks] + nio,
            swiftSettings: strict
        ),
        .target(
            name: "GlyphwireReplay",
            dependencies: [
                "GlyphwireProtocol", "GlyphwireClient", "FrameCodecs", "FrameOverlay", histogram, locks,
            ] + nio,
            swiftSettings: strict
        ),

        .executableTarget(
            name: "glyphwire",
            dependencies: [
                "GlyphwireProtocol", "GlyphwireServer", "GlyphwireHTTP", "TextEngine", "TextEngineOpenVINO",
                "FrameCodecs", "FrameOverlay", "TextFormats", arguments, logging, lifecycle, signals, locks,
            ] + nio,
            swiftSettings: strict,
            linkerSettings: findsOpenVINO
        ),
        .executableTarget(
            name: "glyphwire-replay",
            dependencies: ["GlyphwireProtocol", "GlyphwireClient", "GlyphwireReplay", arguments, signals],
            swiftSettings: strict
        ),

        .target(
            name: "TestSupport",
            dependencies: [
                "GlyphwireProtocol", "GlyphwireServer", "FrameCodecs", "TextEngine", logging, lifecycle, locks,
            ]
                + nio,
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .testTarget(
            name: "GlyphwireProtocolTests",
            dependencies: ["GlyphwireProtocol", "TestSupport"] + nio,
            swiftSettings: strict
        ),
        .testTarget(
            name: "FrameCodecsTests",
            dependencies: ["GlyphwireProtocol", "FrameCodecs", "FrameOverlay", "CLZ4", "CPNG"],
            resources: [.copy("Fixtures")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TextFormatsTests",
            dependencies: ["GlyphwireProtocol", "TextFormats", .product(name: "NIOCore", package: "swift-nio")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TextEngineTests",
            dependencies: ["GlyphwireProtocol", "FrameCodecs", "TextEngine", "TextEngineOpenVINO", locks],
            resources: [.copy("Fixtures")],
            swiftSettings: strict,
            linkerSettings: findsOpenVINO
        ),
        .testTarget(
            name: "TextStreamTests",
            dependencies: ["GlyphwireProtocol", "FrameCodecs", "TextEngine", "TextStream"],
            swiftSettings: pixelLoops
        ),
        .testTarget(
            name: "GlyphwireServerTests",
            dependencies: [
                "GlyphwireProtocol", "GlyphwireServer", "FrameCodecs", "TextEngine", "TestSupport", logging, locks,
            ]
                + nio + [.product(name: "NIOEmbedded", package: "swift-nio")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "GlyphwireHTTPTests",
            dependencies: [
                "GlyphwireProtocol", "GlyphwireServer", "GlyphwireHTTP", "FrameCodecs", "TextEngine", "TestSupport",
                metrics,
                "CZlib", lifecycle, locks,
            ] + nio,
            swiftSettings: strict
        ),
        .target(
            name: "StubServer",
            dependencies: ["GlyphwireProtocol"] + nio,
            path: "Tests/StubServer",
            swiftSettings: strict
        ),
        .testTarget(
            name: "GlyphwireClientTests",
            dependencies: ["GlyphwireProtocol", "GlyphwireClient", "StubServer"] + nio,
            swiftSettings: strict
        ),
        .testTarget(
            name: "GlyphwireReplayTests",
            dependencies: [
                "GlyphwireProtocol", "GlyphwireReplay", "GlyphwireClient", "FrameCodecs", "StubServer", "TestSupport",
                locks,
            ] + nio,
            swiftSettings: strict
        ),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "GlyphwireProtocol", "FrameCodecs", "GlyphwireReplay", .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Tests/Fuzz/Targets",
            swiftSettings: strict
        ),
        .testTarget(
            name: "FuzzTests",
            dependencies: ["FuzzTargets"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "GlyphwireProtocol", "GlyphwireServer", "GlyphwireClient", "FrameCodecs", "TextEngine",
                "TextEngineOpenVINO", "TestSupport", "CPNG",
            ] + nio,
            exclude: ["Fixtures"],
            swiftSettings: strict,
            linkerSettings: findsOpenVINO
        ),
    ],
    swiftLanguageModes: [.v6]
)

// `make fuzz` builds the fuzzer, which links with libFuzzer alone and so is no part of other builds.
if Context.environment["GLYPHWIRE_FUZZ"] != nil {
    package.products.append(.executable(name: "glyphwire-fuzz", targets: ["glyphwire-fuzz"]))
    package.targets.append(
        .executableTarget(
            name: "glyphwire-fuzz",
            dependencies: ["FuzzTargets"],
            path: "Tests/Fuzz/Driver",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]
        )
    )
}

// `scripts/sanitize.sh --core` builds codecs, engine and streams, and their tests, without what has sockets.
if Context.environment["GLYPHWIRE_ONLY_CORE"] != nil {
    let kept = [
        "CJPEG", "CLibJPEG", "CTurboJPEG", "CLZ4", "CPNG", "CZlib", "COpenVINO", "GlyphwireProtocol", "FrameCodecs",
        "FrameOverlay", "TextEngine", "TextEngineOpenVINO", "TextStream", "FrameCodecsTests", "TextEngineTests",
        "TextStreamTests",
    ]
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = []
}
