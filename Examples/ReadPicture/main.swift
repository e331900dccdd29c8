import ImageCodecs
import TextModel
import TextRecognition
import TextRecognitionOpenVINO

let engine = try OpenVINOTextEngine(models: ".deps/models", levels: [.fast])
let picture = try PictureFile(path: CommandLine.arguments[1]).picture()
for line in try engine.makeReader().read(picture).lines {
    print(line.text, line.confidence, line.box.corners.map { "\($0.x),\($0.y)" }.joined(separator: " "))
}
