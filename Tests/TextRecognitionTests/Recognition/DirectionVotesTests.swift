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

    @Test func aNarrowLetterStandsAsThePageDoes() {
        var votes = DirectionVotes()
        votes.count(DirectionVotes.Vote(characters: 20, quarterTurns: 2, shape: .wide))
        #expect(votes.order(for: .tall) == [1, 3, 2])
    }

    @Test func aDirectionIsDecidedByEnoughCharactersThatAgree() {
        var votes = DirectionVotes()
        votes.count(DirectionVotes.Vote(characters: 7, quarterTurns: 1, shape: .tall))
        #expect(!votes.isDecided(for: .tall))
        votes.count(DirectionVotes.Vote(characters: 1, quarterTurns: 1, shape: .tall))
        #expect(votes.isDecided(for: .tall))
        #expect(!votes.isDecided(for: .wide))
        votes.count(DirectionVotes.Vote(characters: 3, quarterTurns: 3, shape: .tall))
        #expect(!votes.isDecided(for: .tall))
    }
}
