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
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let tls: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let histogram: Target.Dependency = .product(name: "Histogram", package: "hdrhistogram-swift")
let hummingbird: [Target.Dependency] = [
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HummingbirdCore", package: "hummingbird"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
]
let httpClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let certificates: [Target.Dependency] = [
    .product(name: "X509", package: "swift-certificates"),
    .product(name: "SwiftASN1", package: "swift-asn1"),
]
let yaml: Target.Dependency = .product(name: "Yams", package: "Yams")

let package = Package(
    name: "glyphwire",
    products: [
        .executable(name: "glyphwire", targets: ["glyphwire"]),
        .executable(name: "glyphwire-replay", targets: ["glyphwire-replay"]),
        .library(name: "GlyphwireClient", targets: ["GlyphwireClient"]),
        .library(name: "GlyphwireProtocol", targets: ["GlyphwireProtocol", "TextModel", "TextSearch"]),
        .library(
            name: "TextRecognition",
            targets: [
                "TextRecognition", "TextRecognitionOpenVINO", "TextRecognitionTesseract", "ImageCodecs", "TextModel",
            ]
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
    ],
    targets: [
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CLibJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg62-turbo-dev"])]),
        .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebpdemux", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CLibTIFF", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
        .systemLibrary(name: "CGIF", providers: [.apt(["libgif-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "COpenVINO"),

        .target(name: "SeededRandom", swiftSettings: strict),
        .target(name: "TextModel", swiftSettings: pixelLoops),
        .target(
            name: "SystemSupport",
            dependencies: ["TextModel", .product(name: "NIOCore", package: "swift-nio"), locks],
            swiftSettings: strict
        ),
        .target(name: "TextSearch", dependencies: ["TextModel"], swiftSettings: strict),
        .target(name: "CJPEG", dependencies: ["CLibJPEG"]),
        .target(name: "CTIFF", dependencies: ["CLibTIFF"]),
        .target(
            name: "ImageCodecs",
            dependencies: [
                "TextModel", "CJPEG", "CTurboJPEG", "CLZ4", "CPNG", "CZlib", "CWebP", "CTIFF", "CGIF",
            ],
            swiftSettings: pixelLoops + [.strictMemorySafety()]
        ),
        .target(name: "FrameOverlay", dependencies: ["TextModel", "ImageCodecs"], swiftSettings: strict),
        .target(
            name: "TextRecognition",
            dependencies: ["TextModel", "ImageCodecs", locks],
            swiftSettings: pixelLoops
        ),
        .target(
            name: "TextRecognitionOpenVINO",
            dependencies: ["TextModel", "TextRecognition", "COpenVINO", "SystemSupport", crypto, locks],
            swiftSettings: strict + [.strictMemorySafety(), .unsafeFlags(["-Xcc", "-I\(openVINO)/include"])],
            linkerSettings: [.unsafeFlags(["-L\(openVINO)/lib"])]
        ),
        .target(name: "CDynamicLibrary", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(name: "CTesseract", dependencies: ["CDynamicLibrary"]),
        .target(
            name: "TextRecognitionTesseract",
            dependencies: ["TextModel", "TextRecognition", "CTesseract", locks],
            swiftSettings: strict + [.strictMemorySafety()]
        ),
        .target(
            name: "TextTracking",
            dependencies: ["TextModel", "ImageCodecs", "TextRecognition"],
            swiftSettings: pixelLoops
        ),
        .target(
            name: "GlyphwireProtocol",
            dependencies: ["TextModel", "TextSearch", .product(name: "NIOCore", package: "swift-nio")],
            swiftSettings: strict
        ),
        .target(
            name: "FramePipeline",
            dependencies: [
                "TextModel", "ImageCodecs", "TextRecognition", "TextTracking", "TextSearch", "GlyphwireProtocol",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "TextFormats",
            dependencies: [
                "TextModel", "ImageCodecs", "GlyphwireProtocol", .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "GlyphwireServer",
            dependencies: [
                "TextModel", "SystemSupport", "GlyphwireProtocol", "TextRecognition", "TextTracking", "FramePipeline",
                logging, metrics, lifecycle, histogram, locks, tls,
            ] + nio,
            resources: [.embedInCode("Resources/selftest.jpg")],
            swiftSettings: strict
        ),
        .target(
            name: "GlyphwireHTTP",
            dependencies: [
                "TextModel", "GlyphwireProtocol", "GlyphwireServer", "ImageCodecs", "FramePipeline", "TextFormats",
                logging, metrics, lifecycle, locks, tls,
            ] + nio + hummingbird,
            resources: [
                .embedInCode("Resources/theme.css"), .embedInCode("Resources/boxes.js"),
                .embedInCode("Resources/live.html"), .embedInCode("Resources/live.css"),
                .embedInCode("Resources/live.js"), .embedInCode("Resources/camera.html"),
                .embedInCode("Resources/camera.css"), .embedInCode("Resources/camera.js"),
                .embedInCode("Resources/favicon.ico"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "GlyphwireClient",
            dependencies: ["TextModel", "GlyphwireProtocol", tls, locks] + nio,
            swiftSettings: strict
        ),
        .target(
            name: "HTTPRequests",
            dependencies: [
                "TextModel", "GlyphwireClient", httpClient, crypto,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "VideoSources",
            dependencies: [
                "TextModel", "SystemSupport", "GlyphwireProtocol", "GlyphwireClient", "HTTPRequests", "ImageCodecs",
                "FramePipeline", httpClient, locks,
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ] + nio,
            swiftSettings: strict
        ),
        .target(
            name: "CommandInput",
            dependencies: ["TextModel", "GlyphwireProtocol", "SystemSupport", arguments],
            swiftSettings: strict
        ),
        .target(name: "CMosquitto", dependencies: ["CDynamicLibrary"]),
        .target(
            name: "TextEvents",
            dependencies: [
                "TextModel", "SystemSupport", "GlyphwireProtocol", "GlyphwireClient", "HTTPRequests", "CMosquitto",
                logging, locks,
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ] + nio,
            swiftSettings: strict
        ),
        .target(
            name: "GlyphwireReplay",
            dependencies: [
                "TextModel", "SystemSupport", "GlyphwireProtocol", "GlyphwireClient", "VideoSources", "ImageCodecs",
                "FrameOverlay", "SeededRandom", histogram, locks,
            ] + nio,
            swiftSettings: strict
        ),

        .executableTarget(
            name: "ReadPicture",
            dependencies: ["TextModel", "ImageCodecs", "TextRecognition", "TextRecognitionOpenVINO"],
            path: "Examples/ReadPicture",
            swiftSettings: strict,
            linkerSettings: findsOpenVINO
        ),
        .executableTarget(
            name: "glyphwire",
            dependencies: [
                "TextModel", "SystemSupport", "TextSearch", "GlyphwireProtocol", "FramePipeline", "GlyphwireServer",
                "GlyphwireHTTP", "GlyphwireClient", "HTTPRequests", "VideoSources", "TextEvents", "TextRecognition",
                "TextRecognitionOpenVINO", "TextRecognitionTesseract", "ImageCodecs", "FrameOverlay", "TextFormats",
                "CommandInput", arguments, yaml, logging, lifecycle, signals, locks, crypto,
            ] + nio + certificates,
            swiftSettings: strict,
            linkerSettings: findsOpenVINO
        ),
        .executableTarget(
            name: "glyphwire-replay",
            dependencies: [
                "TextModel", "GlyphwireProtocol", "GlyphwireClient", "GlyphwireReplay", "CommandInput", arguments,
                signals,
            ],
            swiftSettings: strict
        ),

        .target(
            name: "TestSupport",
            dependencies: [
                "TextModel", "GlyphwireProtocol", "GlyphwireServer", "ImageCodecs", "TextRecognition", logging,
                lifecycle, locks,
            ]
                + nio,
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .testTarget(name: "CommandInputTests", dependencies: ["TextModel", "CommandInput"], swiftSettings: strict),
        .testTarget(name: "TextModelTests", dependencies: ["TextModel"], swiftSettings: strict),
        .testTarget(
            name: "SystemSupportTests",
            dependencies: ["SystemSupport", .product(name: "NIOCore", package: "swift-nio"), locks],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TextSearchTests",
            dependencies: ["TextModel", "TextSearch"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "FramePipelineTests",
            dependencies: [
                "TextModel", "TextSearch", "GlyphwireProtocol", "FramePipeline", "ImageCodecs", "TextRecognition",
                "TextTracking", "SeededRandom", "TestSupport", locks,
            ] + nio,
            swiftSettings: strict
        ),
        .testTarget(
            name: "GlyphwireProtocolTests",
            dependencies: ["TextModel", "TextSearch", "GlyphwireProtocol", "TestSupport"] + nio,
            swiftSettings: strict
        ),
        .testTarget(
            name: "ImageCodecsTests",
            dependencies: [
                "TextModel", "GlyphwireProtocol", "FramePipeline", "ImageCodecs", "FrameOverlay", "CLZ4", "CPNG",
                "SeededRandom",
            ],
            resources: [.copy("Fixtures")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TextFormatsTests",
            dependencies: [
                "TextModel", "GlyphwireProtocol", "TextFormats", .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TextRecognitionTests",
            dependencies: [
                "TextModel", "GlyphwireProtocol", "ImageCodecs", "TextRecognition", "TextRecognitionOpenVINO",
                "TextRecognitionTesseract", "SeededRandom", crypto, locks,
            ],
            resources: [.copy("Fixtures")],
            swiftSettings: strict,
            linkerSettings: findsOpenVINO
        ),
        .testTarget(
            name: "TextTrackingTests",
            dependencies: [
                "TextModel", "GlyphwireProtocol", "ImageCodecs", "TextRecognition", "TextTracking", "SeededRandom",
            ],
            swiftSettings: pixelLoops
        ),
        .testTarget(
            name: "GlyphwireServerTests",
            dependencies: [
                "TextModel", "SystemSupport", "GlyphwireProtocol", "GlyphwireServer", "ImageCodecs", "TextRecognition",
                "TestSupport", logging, lifecycle, locks,
            ]
                + nio + [.product(name: "NIOEmbedded", package: "swift-nio"), tls],
            swiftSettings: strict
        ),
        .testTarget(
            name: "GlyphwireHTTPTests",
            dependencies: [
                "TextModel", "GlyphwireProtocol", "GlyphwireServer", "GlyphwireHTTP", "ImageCodecs", "TextRecognition",
                "TextFormats",
                "TestSupport", logging, metrics,
                "CZlib", lifecycle, locks, .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ] + nio,
            swiftSettings: strict
        ),
        .target(
            name: "StubServer",
            dependencies: ["TextModel", "GlyphwireProtocol"] + nio,
            path: "Tests/StubServer",
            swiftSettings: strict
        ),
        .testTarget(
            name: "GlyphwireClientTests",
            dependencies: ["TextModel", "GlyphwireProtocol", "GlyphwireClient", "StubServer", tls, locks] + nio,
            swiftSettings: strict
        ),
        .testTarget(name: "HTTPRequestsTests", dependencies: ["HTTPRequests"], swiftSettings: strict),
        .testTarget(
            name: "VideoSourcesTests",
            dependencies: [
                "TextModel", "GlyphwireProtocol", "GlyphwireClient", "HTTPRequests", "VideoSources", "ImageCodecs",
                "TestSupport", locks,
            ] + nio,
            swiftSettings: strict
        ),
        .testTarget(
            name: "TextEventsTests",
            dependencies: [
                "TextModel", "SystemSupport", "GlyphwireProtocol", "HTTPRequests", "TextEvents", logging, locks,
            ] + nio,
            swiftSettings: strict
        ),
        .testTarget(
            name: "GlyphwireReplayTests",
            dependencies: [
                "TextModel", "GlyphwireProtocol", "GlyphwireReplay", "GlyphwireClient", "ImageCodecs", "StubServer",
                "TestSupport", "SeededRandom", "SystemSupport", locks,
            ] + nio,
            swiftSettings: strict
        ),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "TextModel", "GlyphwireProtocol", "ImageCodecs", "FramePipeline", "GlyphwireReplay",
                .product(name: "NIOCore", package: "swift-nio"),
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
                "TextModel", "GlyphwireProtocol", "GlyphwireServer", "GlyphwireClient", "ImageCodecs",
                "TextRecognition", "TextTracking",
                "TextRecognitionOpenVINO", "TestSupport", "StubServer", "CPNG", logging, locks,
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
        "CJPEG", "CLibJPEG", "CTurboJPEG", "CLZ4", "CPNG", "CZlib", "CWebP", "CTIFF", "CLibTIFF", "CGIF", "COpenVINO",
        "TextModel", "TextSearch", "ImageCodecs",
        "FrameOverlay", "TextRecognition", "TextRecognitionOpenVINO", "TextRecognitionTesseract", "CTesseract",
        "CDynamicLibrary",
        "TextTracking", "GlyphwireProtocol", "FramePipeline",
        "SeededRandom", "SystemSupport", "TextModelTests", "TextSearchTests", "ImageCodecsTests",
        "TextRecognitionTests", "TextTrackingTests",
    ]
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = []
}
