## The console screens.

deck-small = MAŁA
deck-large = DUŻA

usage =
    Użycie:
    {"    "}java -jar target/War.jar 4 small
    {"    "}java -jar target/War.jar 2 large

    {"    "}Pierwszy parametr to liczba graczy. Drugi to rodzaj talii (small - 24 karty, large - 52 karty, innych możliwości nie ma).
    {"    "}Nie podano dokładnie dwóch parametrów? Program wypisuje wtedy ten komunikat i kończy działanie.
    {"    "}Podano złe parametry? Program poprawia je na wartości domyślne (2 i SMALL) i gra dalej.
    {"    "}Można pisać small, SmALl albo SMALL (tak samo large) - wielkość liter nie ma znaczenia.
    {"    "}Dozwolone liczby graczy: 1, 2, 3, 4, 5. Cokolwiek większego staje się piątką. Cokolwiek mniejszego staje się jedynką.

corrected-both = Wartości poprawiono na 2 graczy i MAŁĄ talię
corrected-players-range = Liczbę graczy poprawiono na { $players }, podano { $provided }
corrected-players-unparseable = Liczbę graczy ustawiono na 2, podano niezrozumiałą wartość { $provided }
corrected-deck = Talię ustawiono na MAŁĄ, podano nieznaną wartość: { $provided }

dealing = WOJNA, { $players ->
    [one] { $players } gracz
    [few] { $players } gracze
   *[many] { $players } graczy
}, { $deck } talia, ROZDANIE
dealt-hand = Gracz{ $seat } ma: { $cards }
lucky = Szczęściarze: { $players }.
lucky-player = gracz{ $seat }
lucky-none = Szczęściarze: brak.
scenario-code = specjalny kod scenariusza: { $code }

turn-leads = WOJNA, { $players ->
    [one] { $players } gracz
    [few] { $players } gracze
   *[many] { $players } graczy
}, { $deck } talia, tura #{ $turn } - prowadzi gracz{ $leader }, { $cards }/{ $total } kart
turn-draw = WOJNA, { $players ->
    [one] { $players } gracz
    [few] { $players } gracze
   *[many] { $players } graczy
}, { $deck } talia, tura #{ $turn } - REMIS, po { $cards }/{ $total } kart
row = Gracz{ $seat } zagrywa:
war-banner = {"                     "}PANIE I PANOWIE, MAMY WOJNĘ!
end-of-cards = KK
winner-found = -----------> MAMY ZWYCIĘZCĘ!
war-lasted = Wojna trwała { $rounds ->
    [one] { $rounds } rundę
    [few] { $rounds } rundy
   *[many] { $rounds } rund
}.
won = WOJNA, { $players ->
    [one] { $players } gracz
    [few] { $players } gracze
   *[many] { $players } graczy
}, { $deck } talia, tura #{ $turn } - WYGRYWA gracz{ $winner }, { $cards }/{ $total } kart
endless = WOJNA, { $players ->
    [one] { $players } gracz
    [few] { $players } gracze
   *[many] { $players } graczy
}, { $deck } talia, tura #{ $turn } - BEZ KOŃCA, tury od #{ $from } do #{ $to } powtarzają się w nieskończoność
game-drawn = WOJNA, { $players ->
    [one] { $players } gracz
    [few] { $players } gracze
   *[many] { $players } graczy
}, { $deck } talia, tura #{ $turn } - REMIS, wszystkim naraz skończyły się karty
undecided = WOJNA, { $players ->
    [one] { $players } gracz
    [few] { $players } gracze
   *[many] { $players } graczy
}, { $deck } talia, tura #{ $turn } - NIEROZSTRZYGNIĘTA, koniec tur

## The screens of the duels edition.

duels-usage =
    Użycie:
    {"    "}war duels --numPlayers 4 --deckType small
    {"    "}war duels --numPlayers 2 --deckType large --strategy shuffle --lang pl

    {"    "}--numPlayers to liczba graczy: 2, 3, 4 albo 5. Domyślnie 2. Cokolwiek większego staje się piątką, cokolwiek mniejszego dwójką.
    {"    "}--deckType to talia: small (24 karty) albo large (52 karty), wielkość liter nie ma znaczenia. Domyślnie small.
    {"    "}--strategy to sposób dobierania kart: default (z wierzchu), shuffle (powtarzające się ręce są tasowane) albo random (dowolna karta z ręki). Domyślnie default.
    {"    "}--lang to język: en albo pl. Domyślnie en.
    {"    "}Czytasz to, bo o to poprosiłeś, podałeś tylko jeden z dwóch pierwszych parametrów albo złą wartość, którą poprawiono na domyślną.
duels-scenario = Scenariusz: { $title }
duels-leads = prowadzi gracz{ $leader }, { $cards }/{ $total } kart
duels-draw = REMIS, po { $cards }/{ $total } kart
duels-battle = WOJNA, { $players ->
    [one] { $players } gracz
    [few] { $players } gracze
   *[many] { $players } graczy
}, bitwa #{ $battle }, { $deck } talia, { $strategy }{ $standing }
duel = WOJNA, { $players ->
    [one] { $players } gracz
    [few] { $players } gracze
   *[many] { $players } graczy
}, { $deck } talia, { $total ->
    [one] { $total } karta
    [few] { $total } karty
   *[many] { $total } kart
}
duel-banner = {"                    "}PANIE I PANOWIE, MAMY POJEDYNEK!
duel-lasted = Pojedynek trwał { $rounds ->
    [one] { $rounds } rundę
    [few] { $rounds } rundy
   *[many] { $rounds } rund
}.
duels-won = WOJNA, { $players ->
    [one] { $players } gracz
    [few] { $players } gracze
   *[many] { $players } graczy
}, { $deck } talia, WYGRYWA gracz{ $winner }, { $cards }/{ $total } kart
duels-stopped = Gra zostaje przerwana po { $battles ->
    [one] { $battles } bitwie
    [few] { $battles } bitwach
   *[many] { $battles } bitwach
} bez rozstrzygnięcia.
duels-stopped-winner = Zwycięża właściciel najwyższej karty, który ma też najwięcej kart: gracz{ $winner }.
duels-found = { $files ->
    [one] Znaleziono { $files } plik scenariusza:
    [few] Znaleziono { $files } pliki scenariuszy:
   *[many] Znaleziono { $files } plików scenariuszy:
}
duels-executing = Wykonanie w podanej kolejności.

## The table of the X/Y edition.

xy-header = RUNDA# : X=karty(                    stan graczy                      )karty=Y :   bitwa   --> zwycięzca lub wojna[rozmiar] karty...
xy-rule = ------ : --------------------------------------------------------------------- : --------- --> -------------------------------------------- --> -
xy-winner = WYGRAŁ
xy-draw = REMIS

## The screens of the token games.

token-game = { $kind ->
    [single-card-game] GRA NA JEDNĄ KARTĘ
   *[double-card-game] GRA NA DWIE KARTY
} #{ $game }: { $one } i { $two }
token-commitment = zobowiązanie: { $commitment }
token-seed = ziarno gracza { $player }: { $seed }
token-no-seed = ziarno gracza { $player }: brak
token-deal = ROZDANIE #{ $deal }
token-hand = { $player } ma { $cards }
token-plays = { $player } gra
token-folds = { $player } pasuje
token-timed-out = { $player } pasuje: czas minął
token-tied = układy są równe, będzie nowe rozdanie
token-wins = { $player } wygrywa { $tokens ->
    [one] { $tokens } żeton
    [few] { $tokens } żetony
   *[many] { $tokens } żetonów
}
token-loses = { $player } traci { $tokens ->
    [one] { $tokens } żeton
    [few] { $tokens } żetony
   *[many] { $tokens } żetonów
}
token-secret = ujawnione ziarno: { $seed }

## Lines on standard error.

error = błąd: { $text }
warning = ostrzeżenie: { $text }
note = uwaga: { $text }
hint = wskazówka: { $text }

## The command line.

called = Ten program wywołuje się tak: war 4 small (zobacz war --help)
nearly-command = `{ $word }` odczytano jako liczbę graczy
    .hint = polecenie wywołuje się przez `war { $command }`
unknown-option = nieznana opcja `{ $option }`
    .hint = opcje wypisuje `{ $help }`; wartość, która zaczyna się od `-`, podaje się po `--`
unknown-option-near = nieznana opcja `{ $option }`
    .hint = może chodziło o `{ $near }`? opcje wypisuje `{ $help }`
unexpected-argument = nieoczekiwany argument `{ $argument }`
    .hint = sposób wywołania podaje `{ $help }`
missing-value = opcja `{ $option }` wymaga wartości
    .hint = dozwolone wartości podaje `{ $help }`
bad-value = `{ $value }` nie jest poprawną wartością `{ $option }`
    .hint = możliwe wartości: { $known }
bad-value-near = `{ $value }` nie jest poprawną wartością `{ $option }`
    .hint = może chodziło o `{ $near }`? możliwe wartości: { $known }
bad-number = `{ $value }` nie jest poprawną wartością `{ $option }`
    .hint = podaj liczbę całkowitą od { $least } do { $most }
bad-address = `{ $value }` nie jest poprawnym adresem dla `{ $option }`
    .hint = podaj adres IP z portem, na przykład 127.0.0.1:8080
value-of-flag = opcja `{ $option }` nie przyjmuje wartości, a podano `{ $value }`
    .hint = usuń tę wartość
missing-argument = brakuje argumentu: { $argument }
    .hint = sposób wywołania podaje `{ $help }`
missing-command = brakuje polecenia
    .hint = polecenia wypisuje `{ $help }`
option-twice = opcję `{ $option }` podano dwa razy
    .hint = usuń jedną z nich
option-before-command = opcji `{ $option }` nie można użyć z poleceniem `{ $command }`
    .hint = usuń ją albo podaj po `{ $command }`, jeśli to polecenie ma taką opcję
argument-not-utf8 = argument nie jest poprawnym tekstem UTF-8: `{ $argument }`
    .hint = podaj liczby, nazwy i opcje w UTF-8
options-conflict = opcji `{ $option }` nie można użyć razem z `{ $other }`
    .hint = usuń jedną z nich
unknown-command = nieznane polecenie `{ $command }`
    .hint = polecenia wypisuje `{ $help }`
unknown-command-near = nieznane polecenie `{ $command }`
    .hint = może chodziło o `{ $near }`? polecenia wypisuje `{ $help }`
bad-command-line = niepoprawne wywołanie programu
    .hint = sposób wywołania podaje `{ $help }`
option-of-play = `war { $command }` nie ma opcji `{ $option }`
    .hint = usuń ją; opcje wypisuje `war help { $command }`
option-after-command = opcję `{ $option }` podaje się po poleceniu
    .hint = wpisz `war { $command } { $option } …`
no-such-help = brak pomocy na temat `{ $word }`
    .hint = polecenia wypisuje `war help`; inne tematy to rules, scenarios, journals i environment
no-such-help-near = brak pomocy na temat `{ $word }`
    .hint = może chodziło o `{ $near }`?
pages-written = { $pages ->
    [one] zapisano { $pages } stronę podręcznika
    [few] zapisano { $pages } strony podręcznika
   *[many] zapisano { $pages } stron podręcznika
} w `{ $directory }`
unknown-language = nieznany język `{ $lang }`
    .hint = znane języki: { $known }
bad-seed = `{ $value }` nie jest ziarnem
    .hint = ziarno to liczba całkowita od 0 do 18446744073709551615
xy-seed = ziarno to { $seed }
    .hint = `war xy { $seed }` rozgrywa tę samą grę jeszcze raz
xy-bad-seed = `{ $value }` nie jest ziarnem
    .hint = ziarno tej edycji to liczba całkowita od -9223372036854775808 do 9223372036854775807
bad-turn = `{ $value }` nie jest numerem tury
    .hint = numer tury to liczba całkowita; 0 to rozdanie
bad-range = `--from` wskazuje turę późniejszą niż `--to`
    .hint = tury wypisuje się w kolejności, w jakiej je rozegrano
bad-digest = `{ $value }` nie jest skrótem
    .hint = skrót to 32 cyfry szesnastkowe pisane małymi literami, podane przy zapisie gry
journal-of-several = `--journal` zapisuje jedną grę, a plików scenariuszy może być kilka
    .hint = zapisz je przez `--journal-dir KATALOG` albo zagraj jeden: `--scenario NAZWA --journal PLIK`
journal-dir-of-one = `--journal-dir` nadaje dziennikom nazwy plików scenariuszy, a tych nie ma
    .hint = rozdaną grę zapisuje `--journal PLIK`
durable-without-journal = `--durable` wymaga dziennika
    .hint = zapisz grę przez `--journal PLIK`
duels-unknown-strategy = nieznana strategia `{ $strategy }`: obowiązuje default
    .hint = strategie to default, shuffle i random

## Configuration and log.

config-unreadable = nie można odczytać konfiguracji `{ $file }`: { $reason }
    .hint = popraw ścieżkę albo pomiń `--config` i `WAR_CONFIG`, by grać bez konfiguracji
config-bad = { $file }:{ $line }:{ $column }: { $reason }
    .hint = sekcja [log] ma klucze `level`, `format` i `directory`, a sekcja [table] `listen`, `store`, `bots`, `decide_seconds`, `connections`, `rate` i `origins`
log-failed = nie można zapisać dziennika audytu w `{ $directory }`: { $reason }
    .hint = gra toczy się dalej bez niego; inny katalog można ustawić w war.toml

## What the operating system says.

io-not-found = nie ma takiego pliku ani katalogu
io-permission = brak uprawnień
io-exists = już istnieje
io-directory = to jest katalog
io-not-directory = część ścieżki nie jest katalogiem
io-full = brak miejsca na urządzeniu
io-too-large = plik byłby większy, niż wolno
io-not-text = to nie jest tekst UTF-8
io-address-in-use = adres jest zajęty
io-read-only = system plików jest tylko do odczytu
io-other = { $reason }
output-failed = nie można zapisać na standardowe wyjście: { $reason }
    .hint = zrób miejsce albo skieruj wyjście gdzie indziej
unreadable = nie można odczytać `{ $file }`: { $reason }
    .hint = sprawdź, czy ścieżka jest poprawna i czy wolno czytać ten plik

## Scenarios.

scenarios-replace = { $files ->
    [one] plik scenariusza zastępuje rozdanie
    [few] { $files } pliki scenariuszy zastępują rozdanie
   *[many] { $files } plików scenariuszy zastępuje rozdanie
}
    .hint = by rozdać karty, przenieś pliki ssc_*.json albo wskaż inny katalog przez `--scenarios`
seed-without-effect = `--seed` nie ma znaczenia: karty są w scenariuszu
no-scenarios-directory = nie ma katalogu scenariuszy `{ $directory }`
    .hint = wskaż katalog, który istnieje, albo pomiń `--scenarios`
no-scenarios-variable = `WAR_SCENARIOS` wskazuje `{ $directory }`, a to nie katalog
    .hint = użyto scenariuszy wbudowanych w program
no-such-scenario = nie ma scenariusza `{ $name }`
    .hint = znane: { $known }; ścieżka ma ukośnik albo kończy się na `.json`
scenario-unreadable = nie można go odczytać: { $reason }
    .hint = sprawdź, czy to plik i czy wolno go czytać
scenario-bad-json = { $file }: błędna składnia JSON: { $reason }
scenario-mangled = SpecialCodeFileMangledException: { $file }: { $reason }
scenario-syntax = wiersz { $line }, kolumna { $column }: { $reason }
    .hint = dla każdego gracza napisz rząd liczb, jak [[9,10,11],[12,13,14]]; poszukaj brakującego przecinka lub nawiasu
syntax-ends = plik kończy się za wcześnie
syntax-unexpected = nieoczekiwany znak `{ $found }`
syntax-utf8 = to nie jest UTF-8
scenario-empty = wiersz 1, kolumna 1: plik jest pusty
    .hint = dla każdego gracza napisz rząd liczb, jak [[9,10,11],[12,13,14]]
scenario-bom = wiersz 1, kolumna 1: plik zaczyna się od znacznika kolejności bajtów (BOM)
    .hint = zapisz go jako UTF-8 bez tego znacznika
scenario-too-large = plik ma ponad { $bytes } bajtów
    .hint = scenariusz ma 24 albo 52 karty; sprawdź, czy to właściwy plik
scenario-no-rows = oczekiwano listy rzędów, znaleziono { $found }
    .hint = dla każdego gracza napisz rząd liczb, jak [[9,10,11],[12,13,14]]
scenario-no-row = rząd { $row }: oczekiwano listy liczb całkowitych, znaleziono { $found }
    .hint = karty każdego gracza napisz w nawiasach, jak [9,10,11]
scenario-no-number = rząd { $row }: oczekiwano liczby całkowitej, znaleziono { $found }
    .hint = każdą kartę napisz jako liczbę od 2 do 14
scenario-value = rząd { $row }: oczekiwano karty od 2 do 14, znaleziono { $found }
    .hint = 11 to walet, 12 dama, 13 król, 14 as
scenario-no-player = oczekiwano od 1 do 5 graczy, nie znaleziono żadnego
    .hint = dla każdego gracza napisz rząd kart
scenario-players = oczekiwano od 1 do 5 graczy, znaleziono { $found }
    .hint = zostaw najwyżej 5 rzędów
scenario-bad = { $file }: { $reason }
scenario-players-few = oczekiwano od 2 do 5 graczy, znaleziono { $found }
    .hint = dla każdego gracza napisz rząd kart
scenario-players-many = oczekiwano od 2 do 5 graczy, znaleziono { $found }
    .hint = zostaw najwyżej 5 rzędów
scenario-no-card = nie ma żadnej karty
    .hint = karty każdego gracza napisz w nawiasach, jak [[9,10,11],[12,13,14]]
scenario-too-many-any = oczekiwano najwyżej 10 000 kart, znaleziono { $found }
    .hint = odejmij karty
scenario-value-any = rząd { $row }: oczekiwano karty od 1 do 14, znaleziono { $found }
    .hint = 11 to walet, 12 dama, 13 król, 14 as
scenario-cards-any-rank = oczekiwano od 2 do 255 kart, znaleziono { $found }
    .hint = dodaj karty albo część odejmij
scenario-players-two = oczekiwano 2 graczy, znaleziono { $found }
    .hint = napisz dwa rzędy kart; więcej graczy wymaga zasady `--out-of-cards eoc`
scenario-values-many = oczekiwano najwyżej 64 różnych wartości, znaleziono { $found }
    .hint = rozstrzyga tylko kolejność kart: bliskim wartościom daj tę samą liczbę
scenario-too-few = oczekiwano 24 albo 52 kart, znaleziono { $found }: za mało na talię
    .hint = dodaj karty, aż będzie ich 24
scenario-between = oczekiwano 24 albo 52 kart, znaleziono { $found }: za dużo na małą talię, za mało na dużą
    .hint = odejmij karty, aż będzie ich 24, albo dodaj, aż będzie 52
scenario-too-many = oczekiwano 24 albo 52 kart, znaleziono { $found }: za dużo na talię
    .hint = odejmij karty, aż będzie ich 52

## Recording.

recorded = { $file }: { $events ->
    [one] zapisano { $events } zdarzenie
    [few] zapisano { $events } zdarzenia
   *[many] zapisano { $events } zdarzeń
}, skrót końcowy { $digest }
    .hint = `war replay { $file } --expect-digest { $digest }` dowodzi, że to ta gra
journal-exists = { $code } dziennik `{ $file }` już istnieje, a dziennika nigdy się nie nadpisuje
    .hint = podaj nowy plik
journal-not-created = { $code } nie można utworzyć dziennika `{ $file }`: { $reason }
    .hint = sprawdź, czy jego katalog istnieje i czy wolno w nim pisać
journal-new-not-written = { $code } nie można zapisać nowego dziennika `{ $file }`: { $reason }
    .hint = zrób miejsce albo podaj plik gdzie indziej; stary dziennik jest nietknięty
import-not-written = { $code } nie można zapisać dziennika `{ $file }`: { $reason }
    .hint = zrób miejsce albo podaj inny katalog przez `--journal-dir`; to, co zapisano, usunięto
journal-not-written = { $code } nie można zapisać dziennika `{ $file }` w turze { $turn }: { $reason }
    .hint = grę przerwano; to, co z niej zapisano, domyka `war journal repair`
journal-not-begun = { $code } nie można zapisać dziennika `{ $file }` w turze { $turn }: { $reason }
    .hint = grę przerwano i nic z niej nie zapisano; zrób miejsce, usuń ten plik i zagraj jeszcze raz

## Importing tables.

import-refused = { $file }:{ $line }: { $reason }
    .hint = takiej gry nie można było rozegrać; porównaj ten wiersz z wydrukiem
import-too-long = { $file } jest dłuższy niż 64 MiB
    .hint = żadna tabela nie jest tak długa; sprawdź, czy to właściwy plik
import-no-header = oczekiwano nagłówka tabeli, znaleziono { $found }
import-empty = nie ma tu tabeli
import-no-row = oczekiwano wiersza tabeli, znaleziono { $found }
import-no-round = oczekiwano rundy, bo gra jeszcze się nie skończyła, znaleziono { $found }
import-no-pair = niepełna para kart w { $found }
import-no-rank = oczekiwano karty od 01 do 13, znaleziono { $found }
import-after-end = po końcu gry stoi jeszcze wiersz: { $found }
import-no-end = tabela kończy się przed końcem gry
import-ends-early = wojna w tym wierszu trwa dalej, a jej kart brakuje: { $found }
import-impossible-card = { $player } nie może tu mieć karty { $card }
import-other-row = oczekiwano `{ $expected }`, znaleziono `{ $found }`

## Verdicts.

verdict = { $verdict } { $file }: { $events ->
    [one] { $events } zdarzenie
    [few] { $events } zdarzenia
   *[many] { $events } zdarzeń
}, { $turns ->
    [one] { $turns } tura
    [few] { $turns } tury
   *[many] { $turns } tur
}, { $outcome }, skrót końcowy { $digest }
verdict-fault = { $verdict } { $file }: { $events ->
    [one] { $events } zdarzenie przed tym miejscem jest nienaruszone
    [few] { $events } zdarzenia przed tym miejscem są nienaruszone
   *[many] { $events } zdarzeń przed tym miejscem jest nienaruszonych
}
outcome-won = wygrał gracz{ $winner }
outcome-drawn = remis
outcome-endless = bez końca
outcome-folded = obaj gracze spasowali
outcome-stopped = przerwana
outcome-cut-off = urwana i naprawiona
rendered-anew = wypisano w innym języku albo w innej wersji programu: skrótu konsoli nie porównano
no-such-turn = { $turns ->
    [one] gra ma { $turns } turę
    [few] gra ma { $turns } tury
   *[many] gra ma { $turns } tur
}
divergence =
    zdarzenie { $seq }, wiersz { $line }, tura { $turn }
    według dziennika: { $journal }
    według zasad:     { $rules }
    ręce według dziennika: { $journal_hands }
    ręce według zasad:     { $rules_hands }
rules-say-over = gra jest skończona
impossible-event = (to zdarzenie nie może tu zajść)

## Journals.

journal-empty = plik jest pusty
    .hint = sprawdź, czy to właściwy plik
journal-bom = plik zaczyna się od znacznika kolejności bajtów (BOM)
    .hint = zapisz go jako UTF-8 bez tego znacznika
journal-utf16 = plik nie jest tekstem UTF-8
    .hint = zapisz go jako UTF-8
journal-not-json = to nie jest JSON
    .hint = sprawdź, czy to właściwy plik
journal-other-json = to jest JSON, ale nie war-journal
    .hint = dzienniki tworzy `war 4 small --journal PLIK`; scenariusz rozgrywa `war --scenario PLIK`
journal-version = to dziennik w wersji { $version }, a ten program zna wersję { $known }
    .hint = użyj wersji programu, która zapisała ten dziennik
journal-unknown-rules = zasady `{ $rules }` z tymi parametrami są tu nieznane
    .hint = użyj wersji programu, która zapisała ten dziennik
journal-unknown-generator = generator `{ $generator }` jest tu nieznany
    .hint = użyj wersji programu, która zapisała ten dziennik
journal-header-cut = plik urywa się w nagłówku
    .hint = z gry nic nie zostało
journal-cut-off = plik urywa się w zdarzeniu { $events }
    .hint = urwany dziennik domyka `war journal repair`
journal-no-end = plik urywa się bez rekordu końcowego, po { $events ->
    [one] { $events } zdarzeniu
    [few] { $events } zdarzeniach
   *[many] { $events } zdarzeniach
}
    .hint = urwany dziennik domyka `war journal repair`
journal-syntax = to nie jest JSON
    .hint = plik zmieniono po zapisaniu; weź kopię, której nie zmieniono
journal-field = { $reason }
    .hint = plik zmieniono po zapisaniu; weź kopię, której nie zmieniono
field-missing = brakuje pola `{ $name }`
field-unknown = pole `{ $name }` jest tu nieznane
field-duplicate = pole `{ $name }` występuje dwa razy
field-unknown-value = wartość `{ $name }` jest tu nieznana
field-bad-value = { $name } ma zły typ albo nie jest wartością tego pola
field-address = to nie jest adres IP z portem, na przykład 127.0.0.1:8080
field-shape = lista stoi tam, gdzie powinien stać obiekt, albo odwrotnie
field-unfit = to, co tu stoi, nie pasuje do tego pola
field-no-name = to nie jest imię: ma ono od 1 do 32 widocznych znaków i żadnych odstępów na końcach
field-no-client-seed = to nie jest ziarno gracza: ma ono do 64 widocznych bajtów
field-other = { $reason }
journal-too-long = rekord jest dłuższy niż 1 MB
    .hint = żadne zdarzenie gry nie jest tak długie; plik zmieniono po zapisaniu
journal-header-too-long = nagłówek jest dłuższy niż 2 MB
    .hint = żaden nagłówek gry nie jest tak długi; plik zmieniono po zapisaniu
journal-too-deep = rekord jest zagnieżdżony głębiej niż na 64 poziomy
    .hint = żadne zdarzenie gry takie nie jest; plik zmieniono po zapisaniu
journal-bad-seed = `{ $seed }` nie jest ziarnem generatora `{ $generator }`
    .hint = plik zmieniono po zapisaniu; weź kopię, której nie zmieniono
journal-bad-name = żaden plik scenariusza nie może nazywać się `{ $name }`
    .hint = plik zmieniono po zapisaniu; weź kopię, której nie zmieniono
journal-unknown-language = język `{ $lang }` jest nieznany
    .hint = plik zmieniono po zapisaniu; weź kopię, której nie zmieniono
journal-bad-correction = poprawki w nagłówku nie były potrzebne albo prowadzą do innej gry
    .hint = plik zmieniono po zapisaniu; weź kopię, której nie zmieniono
journal-sequence = oczekiwano zdarzenia { $expected }, znaleziono zdarzenie { $found }
    .hint = zdarzenie usunięto, powtórzono albo przeniesiono; weź kopię, której nie zmieniono
journal-chain = łańcuch nie pasuje przy zdarzeniu { $seq }
    .hint = to zdarzenie albo łańcuch przed nim zmieniono po zapisaniu
journal-header-chain = łańcuch nie pasuje do nagłówka
    .hint = nagłówek zmieniono po zapisaniu
journal-end-chain = łańcuch nie pasuje do rekordu końcowego
    .hint = rekord końcowy zmieniono po zapisaniu
journal-digest = skrót końcowy to { $found }, oczekiwano { $expected }
    .hint = to nie ta gra, którą zapisano z tamtym skrótem
journal-end = rekord końcowy podaje `{ $field }` { $found }, a ze zdarzeń wynika { $expected }
    .hint = rekord końcowy zmieniono po zapisaniu
journal-end-winner = powód i zwycięzca w rekordzie końcowym nie pasują do siebie
    .hint = tylko wygrana gra ma zwycięzcę
journal-data-after-end = po końcu dziennika są jeszcze dane
    .hint = usuń to, co stoi za ostatnim nawiasem
journal-diverges = zdarzenie { $seq } w turze { $turn } jest niezgodne z zasadami
    .hint = od tego miejsca gra nie toczyła się według zasad
journal-turn = zdarzenie { $seq } ma turę { $found }, a ze zdarzeń wynika { $expected }
    .hint = turę zmieniono po zapisaniu
journal-state = stan po zdarzeniu { $seq } w turze { $turn } to { $found }, a ze zdarzeń wynika { $expected }
    .hint = stan zmieniono po zapisaniu
journal-console = skrót konsoli to { $found } (bajtów: { $found_bytes }), a zdarzenia wypisują { $expected } (bajtów: { $expected_bytes })
    .hint = rekord końcowy zmieniono albo grę wypisał inny program
journal-not-dealt = pierwsze zdarzenie nie rozdaje kart
    .hint = gra zaczyna się od `dealt`
journal-deal-players = karty rozdano { $found ->
    [one] { $found } graczowi
    [few] { $found } graczom
   *[many] { $found } graczom
}, a nagłówek podaje { $expected }
    .hint = nagłówek albo rozdanie zmieniono po zapisaniu
journal-rules-players = karty rozdano { $found ->
    [one] { $found } graczowi
    [few] { $found } graczom
   *[many] { $found } graczom
}, a liczba graczy w tych zasadach to { $players }
    .hint = nagłówek albo rozdanie zmieniono po zapisaniu
journal-generator = generator nie rozdaje tych kart z tego ziarna
    .hint = ziarno albo rozdanie zmieniono po zapisaniu
journal-chance = generator nie daje tej kolejności kart
    .hint = ziarno albo kolejność zmieniono po zapisaniu
journal-deal-kind = te zasady nie pasują do tego rodzaju rozdania
    .hint = ze zobowiązania rozdaje się tylko gry na żetony
journal-commitment = ujawnione ziarno nie zgadza się ze zobowiązaniem
    .hint = ziarno wybrano albo zmieniono po zobowiązaniu: rozdający mógł dobrać karty
journal-not-started = pierwsze zdarzenie nie zaczyna gry
    .hint = gra na żetony zaczyna się od `started`
journal-no-deck = rozdane karty nie są talią do tej gry
    .hint = nagłówek albo rozdanie zmieniono po zapisaniu

## The commands on journals.

show-header =
    dziennik: { $file }
    program:  { $engine }
    zasady:   { $rules }
    gracze:   { $players }
    talia:    { $deck }
    karty:    { $deal }
    język:    { $lang }
show-seed = potasowane z ziarna { $seed }
show-fixed = potasowane z ziarna { $seed }, { $cards ->
    [one] { $cards } karta ustalona
    [few] { $cards } karty ustalone
   *[many] { $cards } kart ustalonych
} dla gracza { $player }
show-committed = rozdane z ziarna objętego zobowiązaniem
show-scenario = scenariusz `{ $name }`
show-imported = z wydrukowanej tabeli
show-summary =
    zdarzeń:  { $events }
    tur:      { $turns }
    wojen:    { $wars }
    wypisano: { $bytes } B
show-tokens-summary =
    zdarzeń:  { $events }
    rozdań:   { $turns }
    wypisano: { $bytes } B
diff-none = bez różnic
diff-header = nagłówki się różnią
diff-event = różni się zdarzenie { $seq }, tura { $turn }
diff-end = rekordy końcowe się różnią
diff-side = { $file }: { $says }
repaired = { $file }: { $events ->
    [one] { $events } zdarzenie do tury { $turns } jest teraz
    [few] { $events } zdarzenia do tury { $turns } są teraz
   *[many] { $events } zdarzeń do tury { $turns } jest teraz
} w { $new } z końcem `cut_off`
repair-nothing = { $file } nie naprawiono: zapis urwał się przed pierwszym zdarzeniem
    .hint = z gry nic nie zostało
repair-renderer = { $file } nie naprawiono: tę grę wypisała inna wersja programu
    .hint = użyj wersji programu, która go zapisała
repair-no-file = { $file } nie można naprawić tam, gdzie jest: czyta się go dwa razy
    .hint = najpierw zapisz go do pliku
standard-input-twice = standardowe wejście nie może zastąpić obu dzienników
    .hint = zapisz jeden z nich do pliku
not-repaired = { $file } nie naprawiono: naprawić można tylko dziennik urwany
    .hint = kompletny dziennik nie wymaga naprawy, a zmienionemu nie można ufać

## The card table.

bad-setting = `{ $name }` ma wartość { $value }, a dozwolone są od { $least } do { $most }
    .hint = popraw sekcję `[table]` w konfiguracji
bad-origin = `{ $origin }` nie jest pochodzeniem strony
    .hint = podaj je tak jak przeglądarki, na przykład https://war.example
fewer-connections = połączeń może być { $possible }, a nie { $asked }: ten proces nie może otworzyć więcej plików
    .hint = podnieś limit (`ulimit -n`) albo ustaw mniej przez `--connections`
no-table = ten program zbudowano bez stołu karcianego
    .hint = `cargo run --release --features table -- serve` buduje go i otwiera
table-open = stół jest otwarty: { $address }
table-store = wszystko zapisuje się w { $store }, { $bots ->
    [0] bez botów
    [one] { $bots } bot
    [few] { $bots } boty
   *[many] { $bots } botów
}, Ctrl-C zamyka stół
table-drains = stół się zamyka: żadna gra się już nie zacznie, a trwające skończą się w swoim czasie
    .hint = drugie Ctrl-C kończy od razu; nic nie przepada, trwające gry pójdą dalej po ponownym uruchomieniu
table-closed = stół jest zamknięty
table-stopped = zatrzymano od razu; trwające gry pójdą dalej po ponownym uruchomieniu
store-unknown = `{ $store }` nie jest magazynem
    .hint = `sqlite:PLIK` zapisuje wszystko w pliku
store-unusable = nie można użyć magazynu `{ $store }`: { $reason }
    .hint = sprawdź, czy ścieżka jest poprawna i czy wolno tam zapisywać
store-in-use = magazynu `{ $store }` używa już inny serwer
    .hint = zatrzymaj tamten serwer albo wskaż inny magazyn przez `--store`
store-foreign = `{ $store }` nie jest magazynem stołu karcianego
    .hint = należy do innego programu i pozostał bez zmian; wskaż inny plik przez `--store`
store-newer = `{ $store }` pochodzi z nowszej wersji programu
    .hint = użyj tej wersji albo wskaż inny plik przez `--store`; ten plik pozostał bez zmian
store-failed = magazyn zawiódł: { $reason }
    .hint = stół zatrzymał się, zanim potwierdził cokolwiek, czego nie zapisał; napraw dysk i uruchom go ponownie
listen-failed = nie można nasłuchiwać pod { $address }: { $reason }
    .hint = może nasłuchuje tam inny program; `--listen 127.0.0.1:8081` wybiera inny port
not-started = nie można uruchomić wątków programu: { $reason }
    .hint = zwolnij pamięć albo dopuść więcej procesów i otwartych plików
no-such-game = żadna zakończona gra nie ma tego numeru
foreign-origin = strony tego pochodzenia nie mogą się łączyć

## What the card table answers.

no-name = imię ma od 1 do 32 widocznych znaków
no-client-seed = ziarno to najwyżej 64 bajty widocznego tekstu
no-object = wiadomość to obiekt JSON wysłany jako tekst
no-request-id = `id` ma od 1 do 64 widocznych znaków ASCII
refused-bad-message = to nie jest żądanie: { $reason }
refused-hello-first = najpierw musi być `hello`
refused-hello-again = `hello` już było
refused-unknown-token = żaden gracz nie ma takiego tokenu
refused-id-reused = tego `id` użyto już do innego żądania
refused-waiting = czekasz na przeciwnika
refused-playing = jesteś w trakcie gry
refused-not-waiting = nie czekasz na przeciwnika
refused-not-playing = nie jesteś w żadnej grze
refused-seeds-closed = karty są rozdane: na ziarno jest za późno
refused-seeded-already = ziarno zostało już podane
refused-not-dealt = karty nie są jeszcze rozdane
refused-decided-already = decyzja już zapadła
refused-bad-after = nie ma jeszcze tylu wiadomości
refused-too-fast = za dużo wiadomości w krótkim czasie
refused-too-many-connections = ten gracz ma zbyt wiele połączeń
refused-draining = stół się zamyka, żadna gra się już nie zacznie

## The load on a card table.

load-opening = otwieranie połączeń: { $count }
load-playing = { $count ->
    [one] gra { $count } gracz
    [few] grają { $count } gracze
   *[many] gra { $count } graczy
}
load-comparing = porównywanie sald: { $count }
load-report =
    połączeni gracze:   { $connected }
    rozstrzygnięte gry: { $games } w { $seconds } s, { $rate } na sekundę
    decyzje:            { $decisions }, potwierdzone po { $p50 } ms (mediana), { $p95 } ms (95 %), { $p99 } ms (99 %), { $most } ms (najdłużej)
    porównane salda:    { $compared }
load-trouble = { $trouble } ({ $count } ×)
load-no-connection = brak połączenia
load-lost = połączenie zostało zerwane
load-no-answer = brak odpowiedzi w ciągu { $seconds } s
load-no-message = wiadomość spoza protokołu
load-sequence = luka albo powtórzenie w numeracji wiadomości
load-balance = saldo niezgodne z wiadomościami
load-commitment = ujawnione ziarno niezgodne ze zobowiązaniem
load-seed = ziarno gracza inne niż to, które podał
load-cards = karty, które nie wynikają z ziaren
load-unexpected = nieoczekiwana wiadomość: { $message }
load-sum = suma sald różni się od tego, z czym gracze przyszli, pomniejszonego o to, co zabrał bank
    .hint = może obok działa drugie `war table-load`; jeśli nie, stół pomylił się w rachunkach

## Simulation: games of any rules.

sim-rules = zasady:     gracze: { $players }, { $deal }, zakrytych: { $face_down }, zbieranie { $collect }, brak kart { $rule }{ $limit }
sim-limit = {", "}najwyżej { $turns ->
    [one] { $turns } tura
    [few] { $turns } tury
   *[many] { $turns } tur
}
sim-deal-shuffled = talia { $deck }
sim-deal-fixed = talia { $deck }, { $hand } dla gracza { $player }
sim-deal-given = ręce z `{ $name }`
sim-games = gry:        { $games } z ziarna { $seed }, numery od { $from } do { $to }
sim-no-games = gry:        żadnej z ziarna { $seed }
sim-won = gracz{ $player }:     wygrywa { $share } %
sim-drawn = remisy:     { $share } %
sim-endless = bez końca:  { $share } %
sim-undecided = nierozstrzygnięte: { $share } %
sim-periods = okresy:     średnio { $mean }, od { $min } do { $max } tur
sim-turns = tury:       średnio { $mean }, odchylenie standardowe { $sd }
sim-quantiles = kwantyle:   5 % { $p5 }, 50 % { $median }, 95 % { $p95 }, 99 % { $p99 } tur
sim-wars = wojny:      średnio { $mean } w grze; według głębokości { $depths }
sim-none-finished = tury:       żadna gra się nie skończyła
sim-no-wars = wojny:      żadnej
sim-shortest = najkrótsza: { $turns ->
    [one] { $turns } tura
    [few] { $turns } tury
   *[many] { $turns } tur
}, --game { $seed }:{ $game }
sim-longest = najdłuższa: { $turns ->
    [one] { $turns } tura
    [few] { $turns } tury
   *[many] { $turns } tur
}, --game { $seed }:{ $game }
sim-progress = gry: { $played } z { $games }, na sekundę: { $rate }, jeszcze { $left }
sim-partial = przerwano: { $games ->
    [0] żadna gra się nie skończyła
    [one] to wyniki pierwszej gry
    [few] to wyniki pierwszych { $games } gier
   *[many] to wyniki pierwszych { $games } gier
}
    .hint = mówią o tym pliki JSON i rysunki, a wiersze kończą się na ostatniej z tych gier; przerwanej części nie da się połączyć
sim-bad-game = `{ $value }` nie jest poprawną wartością `{ $option }`
    .hint = podaj ZIARNO:GRA, na przykład 1:341570
sim-bad-shard = `{ $value }` nie jest poprawną wartością `{ $option }`
    .hint = podaj I/N dla części I z N, na przykład 3/8
sim-bad-hand = `{ $value }` nie jest poprawnym zestawem kart dla `{ $option }`
    .hint = podaj GRACZ:KARTA,KARTA,…, na przykład 1:14,14; karty mają wartości od 2 do 14 w dużej talii, od 9 do 14 w małej, od 1 do 13 w talii thirteen, a najwyżej od 1 do 64
sim-bad-deck = `{ $value }` nie jest poprawną talią dla `{ $option }`
    .hint = talie: small, large albo RxS, czyli R wartości i S kolorów, na przykład 13x4: od 2 do 255 kart, najwyżej 64 wartości
sim-combination = zasady `--out-of-cards { $rule }` nie określono dla { $players } graczy
    .hint = zagraj z `--players 2` albo z `--out-of-cards eoc`
sim-rules-for-two = zasad `{ $rules }` nie określono dla { $players } graczy; brak kart `{ $rule }` to reguła dla dwóch
    .hint = zagraj z `--players 2` albo dodaj `--out-of-cards eoc`
sim-too-few-cards = { $cards ->
    [one] { $cards } karty
    [few] { $cards } kart
   *[many] { $cards } kart
} nie da się rozdać { $players ->
    [one] { $players } graczowi
    [few] { $players } graczom
   *[many] { $players } graczom
}
    .hint = każdy musi dostać kartę: weź mniej graczy albo większą talię
sim-fix-player = `--fix` wskazuje gracza { $player }, a graczy jest { $players }
    .hint = wskaż gracza od 1 do { $players }
sim-fix-cards = talia { $deck } nie ma takich kart: `{ $value }`
    .hint = podaj karty z talii, żadnej więcej razy, niż w niej występuje; jej wartości to { $lowest }–{ $highest }
sim-empty-shard = na część { $shard } z { $games ->
    [one] { $games } gry
    [few] { $games } gier
   *[many] { $games } gier
} nie przypada żadna gra
    .hint = weź nie więcej części niż gier
sim-unwritable = nie można zapisać `{ $file }`: { $reason }
    .hint = sprawdź, czy wolno go zapisać, czy jest jego katalog i czy na dysku jest miejsce
sim-same-output = dwa wyniki trafiłyby do `{ $file }`
    .hint = każdemu wynikowi wskaż osobny plik
sim-other-seed = `--seed { $seed }` i `--game { $game }` podają dwa różne ziarna
    .hint = pomiń `--seed`: ziarno jest już w numerze gry
sim-no-part = `{ $file }` to nie część symulacji
    .hint = części powstają z `war simulate --seed S --shard I/N --json PLIK` i muszą być takie, jak je zapisano
sim-part-version = `{ $file }` to część w wersji { $version }, której ten program nie zna
    .hint = użyj wersji programu, która ją zapisała
sim-part-generator = gry z `{ $file }` rozdał generator `{ $generator }`, którego ten program nie ma
    .hint = użyj wersji programu, która ją zapisała
sim-output-is-part = `{ $file }` to jedna z części i zostałby nadpisany
    .hint = nadaj wynikowi osobną nazwę
sim-no-svg = rysunek jest w formacie SVG, a `{ $file }` to nazwa innego formatu
    .hint = weź nazwę, która kończy się na `.svg`, i przekształć rysunek
sim-journal-of-none = `--journal` zapisuje jedną grę, a żadnej nie wybrano
    .hint = wybierz ją przez `--game S:I`
sim-other-rules = `{ $other }` rozegrano według innych zasad niż `{ $file }`: różni je `{ $option }`
    .hint = łącz części o tych samych zasadach
sim-merge-seed = `{ $other }` ma inne ziarno niż `{ $file }`
    .hint = łącz części o tym samym ziarnie
sim-merge-games = `{ $other }` jest częścią przebiegu o innej liczbie gier niż `{ $file }`
    .hint = łącz części tego samego przebiegu: każdej podaj to samo `--games`
sim-merge-partial = `{ $file }` przerwano
    .hint = rozegraj tę część jeszcze raz
sim-overlap = `{ $file }` i `{ $other }` zachodzą na siebie: obie mają grę { $game }
    .hint = podaj każdą część raz
sim-missing = gier od { $from } do { $to } nie ma w żadnej części
    .hint = podaj wszystkie części przebiegu

## Enumeration: all deals of a deck.

enum-odd = { $cards ->
    [one] { $cards } karty
    [few] { $cards } kart
   *[many] { $cards } kart
} talii { $deck } nie da się rozdać na dwie równe ręce
    .hint = weź talię o parzystej liczbie kart
enum-chance = nie da się rozegrać wszystkich rozdań, gdy zasady zostawiają coś przypadkowi: zbieranie `{ $collect }`, brak kart `{ $rule }`
    .hint = gry o takich zasadach rozgrywa `war simulate`
enum-too-many = rozdań jest { $deals }, a rozgrywa się najwyżej { $most }
    .hint = weź mniejszą talię albo rozegraj część rozdań przez `war simulate`
enum-rules = zasady:   gracze: 2, talia { $deck }, zakrytych: { $face_down }, zbieranie { $collect }, brak kart { $rule }{ $limit }
    rozdania: { $deals }
enum-seats = {"          "}w tym oba z każdych dwóch rozdań różniących się tylko zamianą graczy: te zasady odróżniają miejsca
enum-one-of-two = {"          "}z dwóch rozdań różniących się tylko zamianą graczy jedno: każdy gracz wygrywa jedno z nich
enum-played = rozegrane: { $deals }
enum-partial = przerwano: to wyniki { $deals } z { $all } rozdań
    .hint = nie są losowe: próbę losową rozgrywa `war simulate`
enum-outcomes-of-either = wyniki:   wygrane { $won }, remisy { $drawn }, bez końca { $endless }, nierozstrzygnięte { $undecided }
enum-outcomes = wyniki:   gracz1 { $first }, gracz2 { $second }, remisy { $drawn }, bez końca { $endless }, nierozstrzygnięte { $undecided }
enum-periods = okresy:   od { $min } do { $max } tur
enum-turns = tury:     { $sum } w { $games ->
    [one] { $games } ukończonej grze
    [few] { $games } ukończonych grach
   *[many] { $games } ukończonych grach
}, średnio { $mean }, najwięcej { $most }
enum-pairs = pary:     { $sum } w { $games ->
    [one] { $games } ukończonej grze
    [few] { $games } ukończonych grach
   *[many] { $games } ukończonych grach
}, średnio { $mean }, najwięcej { $most }

## The drawing of a simulation.

plot-title = Wojna: gracze: { $players }, { $deal }, zakrytych: { $face_down }, { $collect }, { $rule }{ $limit }
plot-games = { $games ->
    [one] { $games } gra
    [few] { $games } gry
   *[many] { $games } gier
} z ziarna { $seed }
plot-partial = przerwano: pierwsze gry z ziarna { $seed }: { $games } z { $all }
plot-none-finished = żadna gra się nie skończyła
plot-turns = tury ukończonych gier, w słupku { $width }
plot-turns-but-longest = tury ukończonych gier, w słupku { $width }; bez 1 % najdłuższych
plot-share-of-games = udział w ukończonych grach (%)
plot-mean = średnia { $value }
plot-median = mediana { $value }
plot-p5 = kwantyl 5 %: { $value }
plot-p95 = kwantyl 95 %: { $value }
plot-winner = zwycięzca albo koniec gry
plot-drawn = remis
plot-endless = bez końca
plot-undecided = nierozstrz.
plot-outcomes = udział we wszystkich grach (%)

## What others have published.

lit-row = { $source }
    {"  "}{ $command }
lit-figure = {"    "}{ $figure }: opublikowano { $published }, u nas { $ours }: { $verdict }
lit-figure-of-ours = {"    "}{ $figure }: odniesienie { $published }, teraz { $ours }: { $verdict }
lit-agrees = zgodne
lit-differs = NIEZGODNE
lit-mean-turns = średnia liczba tur
lit-deviation = odchylenie standardowe tur
lit-median = mediana tur
lit-quantile = kwantyl { $value } % tur
lit-longest = najwięcej tur
lit-mean-wars = wojny w grze
lit-mean-ties = wojny w grze, z wojną w wojnie liczoną osobno
lit-first-wins = wygrywa gracz1 (%)
lit-endless = gry bez końca (%)
lit-cycles = gry bez końca
lit-period = okres gier bez końca
lit-mean-pairs = średnia liczba par
lit-most-pairs = najwięcej par
lit-deals = rozdania
lit-summary = zgodne wyniki: { $agreeing } z { $all }
lit-interrupted = przerwano: wiersze powyżej są kompletne
    .hint = pozostałych nie rozegrano
