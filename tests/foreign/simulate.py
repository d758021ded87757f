#!/usr/bin/env python3
"""Plays the games of `war simulate`, and prints the rows of its `--csv-games`.

Written from docs/reference/rules.md and the part "Simulated games" of journal-format.md alone.
"""

import argparse
from collections import deque

MASK = 2**64 - 1
RULES = {  # face down, collect, piles, out of cards, deck, whether repeated hands end the game
    "classic": (1, "seat", "one", "eoc", "large", True),
    "duels": (1, "seat", "one", "eoc", "large", False),
    "xy": (3, "shuffled", "one", "shrink", "thirteen", False),
    "bataille": (0, "bataille", "one", "loses", "large", True),
    "household": (3, "winner-first", "two", "loses", "large", True),
}
DECKS = {"small": range(9, 15), "large": range(2, 15), "thirteen": range(1, 14)}


def split_mix(state):
    z = state & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


class Chance:
    def __init__(self, seed, game):
        gamma = 0x9E3779B97F4A7C15
        start = split_mix(seed + gamma)
        self.state = [split_mix(start + (4 * game + word + 1) * gamma) for word in range(4)]

    def word(self):
        def rotated(word, bits):
            return (word << bits | word >> 64 - bits) & MASK

        a, b, c, d = self.state
        word = rotated(a + d & MASK, 23) + a & MASK
        c, d = c ^ a, d ^ b
        self.state = [a ^ d, b ^ c, c ^ b << 17 & MASK, rotated(d, 45)]
        return word

    def coin(self):
        """Equals below(2): 0 for heads, 1 for tails. No word is rejected."""
        return self.word() >> 63

    def shuffle(self, cards):
        bound = len(cards)
        while bound > 1:
            shared, product = [bound], bound
            while shared[-1] > 2 and product * (shared[-1] - 1) < 2**56:
                shared.append(shared[-1] - 1)
                product *= shared[-1]
            word = self.word()
            while word * product & MASK < 2**64 % product:
                word = self.word()
            for bound in shared:
                index, word = word * bound >> 64, word * bound & MASK
                cards[bound - 1], cards[index] = cards[index], cards[bound - 1]
            bound = shared[-1] - 1
        return cards


class Game:
    def __init__(self, rules, chance, hands):
        self.rules, self.chance = rules, chance
        self.hands = [deque(hand) for hand in hands]
        self.seconds = [[] for _ in hands]
        self.orders = rules.collect.split(",")
        ranks = {card for hand in hands for card in hand}
        chance = rules.piles == "two" or {"shuffled", "random"} & {*self.orders}
        self.remembers = rules.ends and (not chance or len(ranks) == 1)
        self.turns = self.wars = 0
        self.seen = {}

    def held(self, seat):
        return len(self.hands[seat]) + len(self.seconds[seat])

    def players(self):
        return [seat for seat in range(len(self.hands)) if self.held(seat)]

    def take_up(self, putting):
        if any(not self.hands[seat] and self.seconds[seat] for seat in putting):
            for seat, cards in enumerate(self.seconds):
                if cards and not self.hands[seat]:
                    made = self.chance.shuffle(cards) if self.rules.piles == "two" else cards[::-1]
                    self.hands[seat], self.seconds[seat] = deque(made), []

    def give(self, seat, cards):
        """Gives a player cards from the table."""
        pile = self.hands[seat] if self.rules.piles == "one" else self.seconds[seat]
        pile += cards

    def play(self):
        """Plays the game. Returns the verdict, the winner and the period."""
        while True:
            players = self.players()
            if len(players) == 1:
                return "won", players[0] + 1, ""
            if self.rules.limit is not None and self.turns >= self.rules.limit:
                winner = self.strongest() if self.rules.names_winner else None
                return ("won", winner + 1, "") if winner is not None else ("undecided", "", "")
            self.take_up(players)
            if self.remembers:
                hands = tuple(map(tuple, self.hands + self.seconds))
                if hands in self.seen:
                    return "endless", "", self.turns - self.seen[hands]
                self.seen[hands] = self.turns
            self.turns += 1
            if self.turn(players) == "drawn":
                return "drawn", "", ""

    def strongest(self):
        cards = [[*hand, *second] for hand, second in zip(self.hands, self.seconds)]
        highest = max(max(hand) for hand in cards if hand)
        most = max(map(len, cards))
        alone = [seat for seat, hand in enumerate(cards) if highest in hand]
        largest = [seat for seat, hand in enumerate(cards) if len(hand) == most]
        return alone[0] if len(alone) == 1 and alone == largest else None

    def put(self, seats, is_up):
        self.take_up(seats)
        self.faces.append(is_up)
        self.rounds.append([(seat, self.hands[seat].popleft()) for seat in seats])

    def turn(self, players):
        self.rounds, self.faces = [], []
        self.put(players, True)
        leading = self.leading()
        if len(leading) > 1:
            self.wars += 1
        while len(leading) > 1:
            ends, leading = self.war(leading)
            if ends == "drawn":
                return ends
            if ends == "swapped":
                return self.swap()
            if ends == "shown":
                leading = self.leading()
        self.collect(leading[0])

    def leading(self):
        highest = max(card for _, card in self.rounds[-1])
        return [seat for seat, card in self.rounds[-1] if card == highest]

    def war(self, fighters):
        """Puts down cards up to the next comparison. Returns early if somebody or nobody wins."""
        down, rule = self.rules.face_down, self.rules.out_of_cards
        held = [self.held(seat) for seat in fighters]
        holding = [seat for seat in fighters if self.held(seat)]
        if rule == "shrink":
            if min(held) == 0:
                return "swapped", []
            down = min(down, min(held) - 1)
        if rule == "last-card":
            if len(holding) < len(fighters):
                return ("won" if holding else "drawn"), holding
            for _ in range(down):
                self.put([seat for seat in fighters if self.held(seat) > 1], False)
            down = 0
        for step in range(down + 1):
            holding = [seat for seat in fighters if self.held(seat)]
            if not holding:
                return ("drawn", []) if rule == "loses" else ("won", fighters[-1:])
            if rule == "loses" and len(holding) < len(fighters):
                return "won", holding
            fighters = holding
            self.put(fighters, step == down)
        return "shown", fighters

    def swap(self):
        piles = [self.pile([seat]) for seat in range(len(self.hands))]
        seats = [seat for seat, pile in enumerate(piles) if pile]
        for seat, other in zip(seats, seats[1:] + seats[:1]):
            if len(set(piles[other])) > 1:
                self.seen.clear()
            self.give(seat, self.chance.shuffle(piles[other]))

    def pile(self, seats):
        """Cards of these players, one player after the other, in the order played."""
        return [card for seat in seats for each in self.rounds for s, card in each if s == seat]

    def collect(self, winner):
        seats = range(len(self.hands))
        others = [seat for seat in seats if seat != winner]
        rule = (self.orders * len(seats))[winner]
        first = lambda put: (put[0] != winner, put[0])  # noqa: E731
        order = {
            "seat": lambda: self.pile(seats),
            "seat-interleaved": lambda: [card for each in self.rounds for _, card in each],
            "winner-pile": lambda: self.pile([winner, *others]),
            "winner-first": lambda: [c for each in self.rounds for _, c in sorted(each, key=first)],
            "bataille": lambda: [
                card for each in reversed(self.rounds) for _, card in sorted(each, key=first)
            ],
            "shuffled": lambda: self.chance.shuffle(
                self.pile([winner]) + self.chance.shuffle(self.pile(others))
            ),
            "highest-first": lambda: sorted(self.pile(seats), reverse=True),
            "reversed-pile": lambda: self.one_pile()[::-1],
            "random": lambda: self.pile([*others, winner] if self.chance.coin() else [winner, *others]),
        }
        self.give(winner, order[rule]())

    def one_pile(self):
        """All cards on one pile: each round face up, and face-down cards in between, by seat."""
        stretches = []
        for number, (is_up, each) in enumerate(zip(self.faces, self.rounds)):
            if is_up or self.faces[number - 1]:
                stretches.append([])
            stretches[-1] += each
        return [c for puts in stretches for _, c in sorted(puts, key=lambda put: put[0])]


def dealt(cards, players):
    return [cards[player::players] for player in range(players)]


def hands(rules, chance):
    if rules.deck in DECKS:
        ranks, suits = DECKS[rules.deck], 4
    else:
        count, suits = map(int, rules.deck.split("x"))
        ranks = range(15 - count, 15) if count <= 14 else range(1, count + 1)
    cards = [*ranks] * suits
    if rules.fix is None:
        return dealt(chance.shuffle(cards), rules.players)
    player, fixed = rules.fix.split(":")
    fixed = [int(card) for card in fixed.split(",")]
    for card in fixed:
        cards.remove(card)
    fixed = chance.shuffle(fixed)
    others = dealt(chance.shuffle(cards), rules.players - 1)
    return [*others[: int(player) - 1], fixed, *others[int(player) - 1 :]]


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rules", default="classic")
    for name in ("deck", "collect", "piles", "out-of-cards", "fix"):
        parser.add_argument("--" + name)
    for name in ("face-down", "max-turns"):
        parser.add_argument("--" + name, type=int)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int)
    parser.add_argument("--seed", type=int)
    rules = parser.parse_args()
    face_down, collect, piles, out_of_cards, deck, rules.ends = RULES[rules.rules]
    rules.face_down = face_down if rules.face_down is None else rules.face_down
    rules.collect = rules.collect or collect
    rules.piles = rules.piles or piles
    rules.out_of_cards = rules.out_of_cards or out_of_cards
    rules.deck = rules.deck or deck
    return rules


def main():
    rules = options()
    print("game,verdict,winner,turns,wars,period")
    for number in range(rules.games):
        chance = Chance(rules.seed, number)
        deal = hands(rules, chance)
        rules.names_winner = rules.rules == "duels" and rules.max_turns is None
        cards = sum(map(len, deal))
        rules.limit = 10 * cards if rules.names_winner else rules.max_turns
        game = Game(rules, chance, deal)
        verdict, winner, period = game.play()
        print(f"{number},{verdict},{winner},{game.turns},{game.wars},{period}")


if __name__ == "__main__":
    main()
