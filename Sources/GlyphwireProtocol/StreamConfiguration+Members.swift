internal import TextModel
internal import TextSearch

extension StreamConfiguration {
    /// Writes every option as a member of a `configure` body.
    func writeMembers(into json: inout JSONBuilder) {
        let reading = self.reading
        if let token = self.token { json.string("token", token) }
        if let client = self.client { json.string("client", client) }
        json.string("level", reading.level.rawValue)
        json.bool("recognize", reading.recognize)
        json.bool("characters", reading.characters)
        json.string("coordinates", self.coordinates.rawValue)
        json.number("minimumTextHeight", reading.minimumTextHeight, precision: .options)
        let isFlipped = self.coordinates == .vision
        json.region("regionOfInterest", isFlipped ? reading.regionOfInterest.flipped() : reading.regionOfInterest)
        json.array("regions") { json in
            for region in self.regions { (isFlipped ? region.flipped() : region).write(into: &json) }
        }
        json.strings("languages", reading.languages)
        json.integer("candidates", reading.candidates)
        json.string("delivery", self.delivery.rawValue)
        if let deadline = self.deadlineMilliseconds { json.integer("deadline_ms", deadline) }
        if let offset = self.clockOffsetMicroseconds { json.integer("clock_offset_us", offset) }
        if let temporal = self.temporal { json.bool("temporal", temporal) }
        json.integer("refresh_ms", self.refreshMilliseconds)
        json.strings("find", self.find.map(\.source))
        json.string("report", self.report.rawValue)
        json.strings("customWords", reading.customWords)
        json.string("characterSet", reading.allowedCharacters?.source ?? "")
        json.bool("languageCorrection", reading.languageCorrection)
        json.string("unreadable", reading.unreadable.rawValue)
        json.string("upright", reading.upright.rawValue)
        json.string("damaged", self.damaged.rawValue)
    }
}
