import TextModel
import Testing

@testable import TextRecognition

@Suite struct DirectionVotesTests {
    @Test func withoutVotesLinesAreAssumedUpright() {
        let votes = DirectionVotes()
        #expect(votes.order(for: .wide) == [0, 2])
        #expect(votes.order(for: .tall) == [1, 3, 0])
        #expect(!votes.isDecided(for: .wide) && !votes.isDecided(for: .tall))
    }

    @Test func theDirectionOfMostCharactersIsTriedFirst() {
        var votes = DirectionVotes()
        votes.count(DirectionVotes.Vote(characters: 3, quarterTurns: 0, shape: .wide))
        votes.count(DirectionVotes.Vote(characters: 5, quarterTurns: 2, shape: .wide))
        #expect(votes.order(for: .wide) == [2, 0])
        votes.count(DirectionVotes.Vote(characters: 4, quarterTurns: 3, shape: .tall))
        #expect(votes.order(for: .tall) == [3, 1, 2])
    }

    @Test func aNarrowLetterStandsAsMostOfTheText() {
        var votes = DirectionVotes()
        #expect(votes.order(for: .narrow) == [0, 1, 3])
        votes.count(DirectionVotes.Vote(characters: 20, quarterTurns: 2, shape: .wide))
        #expect(votes.order(for: .tall) == [1, 3, 2])
        votes.count(DirectionVotes.Vote(characters: 16, quarterTurns: 3, shape: .tall))
        #expect(votes.order(for: .narrow) == [2, 3, 1] && votes.isDecided(for: .narrow))
        votes.count(DirectionVotes.Vote(characters: 16, quarterTurns: 3, shape: .tall))
        #expect(votes.order(for: .narrow) == [3, 1, 2] && !votes.isDecided(for: .narrow))
    }

    @Test func aNarrowLetterDoesNotVote() {
        var votes = DirectionVotes()
        votes.count(DirectionVotes.Vote(characters: 100, quarterTurns: 1, shape: .narrow))
        #expect(votes.order(for: .narrow) == [0, 1, 3])
    }

    @Test(arguments: [(DirectionVotes.Shape.wide, 8, 0), (.tall, 48, 1)])
    func aDirectionIsDecidedByEnoughCharactersThatAgree(shape: DirectionVotes.Shape, count: Int, turns: Int) {
        let other: DirectionVotes.Shape = shape == .wide ? .tall : .wide
        var votes = DirectionVotes()
        votes.count(DirectionVotes.Vote(characters: count - 1, quarterTurns: turns, shape: shape))
        #expect(!votes.isDecided(for: shape))
        votes.count(DirectionVotes.Vote(characters: 1, quarterTurns: turns, shape: shape))
        #expect(votes.isDecided(for: shape))
        #expect(!votes.isDecided(for: other))
        votes.count(DirectionVotes.Vote(characters: count / 4 + 1, quarterTurns: turns + 2, shape: shape))
        #expect(!votes.isDecided(for: shape))
    }

    @Test func textThatIsTurnedAfterHoursIsSoonReadInItsDirectionFirst() {
        var votes = DirectionVotes()
        for _ in 0..<10_000 { votes.count(DirectionVotes.Vote(characters: 8, quarterTurns: 0, shape: .wide)) }
        for _ in 0..<64 { votes.count(DirectionVotes.Vote(characters: 8, quarterTurns: 2, shape: .wide)) }
        #expect(votes.order(for: .wide) == [2, 0])
    }

    @Test(arguments: [(200, 20), (20, 200)] as [(Float, Float)])
    func theHeightOfALineIsThatOfItsLetters(width: Float, height: Float) {
        let rect = RotatedRect(centre: Point(x: 0, y: 0), axis: Point(x: 1, y: 0), width: width, height: height)
        var line = DetectedLine(rect: rect, score: 1)
        line.scaleHeight(by: 1.5)
        #expect(max(line.rect.width, line.rect.height) == 200)
        #expect(min(line.rect.width, line.rect.height) == 30)
    }
}
