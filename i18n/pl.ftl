## The console screens.

deck-small = MAŁA
deck-large = DUŻA

usage =
    Użycie:
    {"    "}java -jar target/War.jar 4 small
    {"    "}java -jar target/War.jar 2 large

    {"    "}Pierwszy parametr to liczba graczy. Drugi to rodzaj talii (small - 24 karty, large - 52 karty, innych możliwości nie ma).
    {"    "}Nie podano dokładnie dwóch parametrów? Program wypisuje wtedy ten komunikat i kończy działanie.
    {"    "}Podano złe parametry? Program zastępuje je domyślnymi (2 i SMALL) i gra dalej.
    {"    "}Można pisać small, SmALl albo SMALL (tak samo large) - wielkość liter nie ma znaczenia.
    {"    "}Dozwolone liczby graczy: 1, 2, 3, 4, 5. Większą liczbę zastępuje 5, a mniejszą 1.

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
duels-help =
    Użycie:
    {"    "}war duels --numPlayers 4 --deckType small
    {"    "}war duels --numPlayers 2 --deckType large --strategy shuffle --lang pl

    {"    "}--numPlayers to liczba graczy: 2, 3, 4 albo 5. Domyślnie 2. Większą liczbę zastępuje 5, a mniejszą 2.
    {"    "}--deckType to talia: small (24 karty) albo large (52 karty), wielkość liter nie ma znaczenia. Domyślnie small.
    {"    "}--strategy to sposób dobierania kart: default (z wierzchu), shuffle (powtarzające się ręce są tasowane) albo random (dowolna karta z ręki). Domyślnie default.
    {"    "}--lang to język: en albo pl. Domyślnie en.
    {"    "}Ten tekst pojawia się, bo wywołano pomoc, podano tylko jeden z dwóch pierwszych parametrów albo złą wartość, którą zastąpiono domyślną.
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
duels-executing = Zostaną rozegrane w tej kolejności.

## The table of the X/Y edition.

xy-header = RUNDA# : X=karty(                    stan graczy                      )karty=Y :   bitwa   --> zwycięzca lub wojna[rozmiar] karty...
xy-rule = ------ : --------------------------------------------------------------------- : --------- --> -------------------------------------------- --> -
xy-winner = WYGRAŁ
xy-draw = REMIS

## The screens of the token games.

token-game = { $kind ->
    [daily] POJEDYNEK DNIA
    [single-card-game] GRA NA JEDNĄ KARTĘ
   *[double-card-game] GRA NA DWIE KARTY
} #{ $game }: { $one } i { $two }
token-commitment = zobowiązanie: { $commitment }
token-table-commitment = zobowiązanie stołu: { $commitment }
token-seed-hash = skrót ziarna gracza { $number }: { $hash }
token-seed = ziarno gracza { $player }: { $seed }
token-player = gracz { $number }
token-duel-player = gracz
token-duel-house = komputer
token-opened = { $player } ujawnia ziarno: { $seed }
token-forfeited = { $player } pasuje: ziarna nie ujawniono na czas
token-no-seed = ziarno gracza { $player }: brak
token-deal = ROZDANIE #{ $deal }
token-hand = { $player } ma { $cards }
token-plays = { $player } gra
token-folds = { $player } pasuje
token-timed-out = { $player } pasuje: czas minął
token-tied = układy są równe, będzie nowe rozdanie
token-duel-tied = układy są równe, nikt nie wygrywa
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
token-table-seed = ziarno stołu: { $seed }

## Lines on standard error.

error = błąd: { $text }
warning = ostrzeżenie: { $text }
note = uwaga: { $text }
hint = wskazówka: { $text }

## The command line.

called =
    Ten program uruchamia się tak: war PLAYERS DECK
    {"    "}war 4 small               rozdaje 24 karty 4 graczom
    {"    "}war 2 large --seed 42     rozdaje 52 karty 2 graczom, za każdym razem te same
    Wszystkie opcje i polecenia: war --help
    { $last }
called-near = Może chodziło o: { $command }
called-others = Inne polecenia: war duels, war xy, war replay, war view, war simulate
nearly-command = `{ $word }` odczytano jako liczbę graczy
    .hint = może chodziło o `{ $command }`?
unknown-option = nieznana opcja `{ $option }`
    .hint = opcje wypisuje `{ $help }`; wartość zaczynającą się od `-` podaje się po `--`
unknown-option-near = nieznana opcja `{ $option }`
    .hint = może chodziło o `{ $near }`? opcje wypisuje `{ $help }`
unexpected-argument = nieoczekiwany argument `{ $argument }`
    .hint = sposób użycia podaje `{ $help }`
missing-value = opcja `{ $option }` wymaga wartości
    .hint = dozwolone wartości podaje `{ $help }`
bad-value = `{ $value }` to niedozwolona wartość opcji `{ $option }`
    .hint = dozwolone wartości: { $known }
bad-value-near = `{ $value }` to niedozwolona wartość opcji `{ $option }`
    .hint = może chodziło o `{ $near }`? dozwolone wartości: { $known }
bad-number = `{ $value }` to niedozwolona wartość opcji `{ $option }`
    .hint = podaj liczbę całkowitą od { $least } do { $most }
bad-address = `{ $value }` nie jest poprawnym adresem dla opcji `{ $option }`
    .hint = podaj nazwę albo adres IP i port, na przykład localhost:8080
value-of-flag = opcja `{ $option }` nie przyjmuje wartości, a podano `{ $value }`
    .hint = usuń tę wartość
missing-argument = brakuje argumentu: { $argument }
    .hint = sposób użycia podaje `{ $help }`
missing-command = brakuje podpolecenia
    .hint = podpolecenia wypisuje `{ $help }`
option-twice = opcję `{ $option }` podano więcej niż raz
    .hint = podaj ją tylko raz
option-before-command = opcji `{ $option }` nie można użyć z podpoleceniem `{ $command }`
    .hint = usuń ją albo podaj po `{ $command }`, jeśli to podpolecenie ją przyjmuje
argument-not-utf8 = argument nie jest poprawnym tekstem UTF-8: `{ $argument }`
    .hint = liczby, nazwy i opcje podaje się w UTF-8
options-conflict = opcji `{ $option }` nie można użyć razem z `{ $other }`
    .hint = usuń jedną z nich
unknown-command = nieznane podpolecenie `{ $command }`
    .hint = podpolecenia wypisuje `{ $help }`
unknown-command-near = nieznane podpolecenie `{ $command }`
    .hint = może chodziło o `{ $near }`? podpolecenia wypisuje `{ $help }`
bad-command-line = niepoprawne wywołanie programu
    .hint = sposób użycia podaje `{ $help }`
option-of-play = `war { $command }` nie przyjmuje opcji `{ $option }`
    .hint = usuń ją; opcje wypisuje `war help { $command }`
option-after-command = opcję `{ $option }` podaje się po podpoleceniu
    .hint = wpisz `war { $command } { $option } …`
no-such-help = brak pomocy na temat `{ $word }`
    .hint = podpolecenia wypisuje `war --help`; inne tematy to rules, scenarios, journals i environment
no-such-help-near = brak pomocy na temat `{ $word }`
    .hint = może chodziło o `{ $near }`?
pages-written = { $pages ->
    [one] zapisano { $pages } stronę podręcznika
    [few] zapisano { $pages } strony podręcznika
   *[many] zapisano { $pages } stron podręcznika
} w katalogu `{ $directory }`
unknown-language = nieznany język `{ $lang }`
    .hint = dostępne języki: { $known }
bad-seed = `{ $value }` nie jest poprawnym ziarnem
    .hint = ziarno to liczba całkowita od 0 do 18446744073709551615
seed-drawn = wylosowane ziarno to { $seed }
    .hint = dodaj `--seed { $seed }`, aby rozegrać tę samą grę jeszcze raz
xy-bad-seed = `{ $value }` nie jest poprawnym ziarnem
    .hint = ziarno w tej edycji to liczba całkowita od -9223372036854775808 do 9223372036854775807
bad-turn = `{ $value }` nie jest poprawnym numerem tury
    .hint = numer tury to liczba całkowita; tura 0 to rozdanie
bad-range = `--from` wskazuje turę późniejszą niż `--to`
    .hint = w `--from` podaj wcześniejszą turę
bad-digest = `{ $value }` nie jest poprawnym skrótem
    .hint = skrót to 32 cyfry szesnastkowe, wypisane przy zapisie gry
bad-commitment = `{ $value }` nie jest poprawnym zobowiązaniem
    .hint = zobowiązanie to 64 cyfry szesnastkowe, które stół podaje na początku gry
bad-game-number = `{ $value }` nie jest poprawnym numerem gry
    .hint = numer gry to liczba całkowita, którą stół podaje na początku gry
bad-player-seed = `{ $value }` nie jest poprawnym miejscem z ziarnem
    .hint = podaj miejsce (1 albo 2), dwukropek i 64 cyfry szesnastkowe ziarna
journal-of-several = `--journal` zapisuje jedną grę, a plików scenariuszy może być kilka
    .hint = wszystkie zapisuje `--journal-dir KATALOG`, a jeden `--scenario NAZWA --journal PLIK`
result-of-several = `--result` dotyczy jednej gry, a plików scenariuszy może być kilka
    .hint = `--scenario NAZWA` rozgrywa jeden z nich
journal-dir-of-one = `--journal-dir` nazywa dzienniki tak jak pliki scenariuszy, a takich plików nie ma
    .hint = grę z rozdania zapisuje `--journal PLIK`
durable-without-journal = `--durable` wymaga dziennika
    .hint = dodaj `--journal PLIK`
option-without-journal = `{ $option }` wymaga dziennika
    .hint = dodaj `--journal PLIK`
option-of-version-two = `{ $option }` wymaga wersji 2 formatu dziennika
    .hint = dodaj `--journal-version 2`
bad-meta = `{ $value }` nie jest poprawną notatką
    .hint = użyj `--meta KLUCZ=WARTOŚĆ`, na przykład `--meta stół=7`
refused-meta = niepoprawne `--meta`: { $reason }
    .hint = dziennik mieści najwyżej 64 notatki, razem 8192 bajty JSON, każdą pod innym kluczem
duels-unknown-strategy = nieznana strategia `{ $strategy }`: użyto strategii default
    .hint = dostępne strategie: default, shuffle i random

## Configuration and log.

config-unreadable = nie można odczytać pliku konfiguracji `{ $file }`: { $reason }
    .hint = popraw ścieżkę albo pomiń `--config` i `WAR_CONFIG`, aby grać bez konfiguracji
config-bad = { $file }:{ $line }:{ $column }: { $reason }
config-syntax = niepoprawny TOML: { $reason }
    .hint = sekcja to na przykład `[log]`, a ustawienie `level = "info"`; każde może wystąpić tylko raz
config-name = nieznane ustawienie lub sekcja `{ $name }`
    .hint = dostępne ustawienia: { $known }
config-value = { $reason }
    .hint = dozwolone wartości `{ $key }`: { $known }
config-no-home = katalog dziennika audytu `{ $directory }` leży w katalogu domowym, a zmienna `HOME` nie jest ustawiona
    .hint = ustaw `HOME` albo podaj ścieżkę bezwzględną
allowed-whole = liczba całkowita od { $least } do { $most }
allowed-directory = ścieżka, która może zaczynać się od `~` lub `$XDG_STATE_HOME`
allowed-address = nazwa albo adres IP i port, na przykład "localhost:8080"
allowed-address-or-off = nazwa albo adres IP i port, na przykład "localhost:9080", albo "off"
allowed-text = tekst w cudzysłowie, na przykład "sqlite:table.db"
allowed-file = ścieżka do pliku, na przykład "table.key"; plik o nazwie `-` to "./-"
allowed-texts = lista tekstów, na przykład ["https://war.example"]
config-section = { $reason }
    .hint = dostępne ustawienia: { $known }
log-failed = nie można zapisać dziennika audytu w `{ $directory }`: { $reason }
    .hint = gra toczy się dalej bez niego; inny katalog można ustawić w war.toml
followed-shorter = plik `{ $file }` stał się krótszy w trakcie śledzenia
    .hint = zapisywany dziennik tylko rośnie; odtwórz plik w obecnej postaci
followed-replaced = plik `{ $file }` usunięto lub zastąpiono w trakcie śledzenia
    .hint = odtwórz plik, który ma teraz tę nazwę
follow-interrupted = przerwano: werdykt dotyczy tego, co dotąd odczytano

## What the operating system says.

io-refused = połączenie odrzucone
io-not-found = nie ma takiego pliku ani katalogu
io-permission = brak uprawnień
io-exists = już istnieje
io-directory = to jest katalog
io-not-directory = część ścieżki nie jest katalogiem
io-full = brak miejsca na urządzeniu
io-too-large = plik przekroczyłby dozwolony rozmiar
io-not-text = to nie jest tekst UTF-8
io-address-in-use = adres jest już zajęty
io-closed = odbiorca zamknął potok
io-read-only = system plików jest tylko do odczytu
io-no-locks = system plików nie pozwala już blokować plików: { $reason }
io-store-files = nie można otworzyć jej pliku albo jednego z tych, które do niej należą (`-wal`, `-shm`): { $reason }
io-other = { $reason }
output-failed = nie można pisać na standardowe wyjście: { $reason }
    .hint = zwolnij miejsce albo skieruj wyjście gdzie indziej
unreadable = nie można odczytać `{ $file }`: { $reason }
    .hint = sprawdź, czy plik istnieje i czy można go odczytać

## Text that is not UTF-8.

not-utf8 = { $file }:{ $line }:{ $column }: { $reason }
text-utf16 = tekst jest w UTF-16, a nie w UTF-8
    .hint = zapisz go jako UTF-8; `>` w Windows PowerShell zapisuje UTF-16, a `… | Out-File -Encoding utf8 PLIK` zapisuje UTF-8
text-not-utf8 = tekst nie jest w UTF-8
    .hint = zapisz go jako UTF-8; w PowerShell: `… | Out-File -Encoding utf8 PLIK`
json-utf16 = tekst jest w UTF-16, a nie w UTF-8
    .hint = zapisz go jako UTF-8 bez znacznika kolejności bajtów (BOM); w PowerShell: `Get-Content PLIK | Set-Content -Encoding ascii NOWY`
json-not-utf8 = tekst nie jest w UTF-8
    .hint = zapisz go jako UTF-8 bez znacznika kolejności bajtów (BOM)

## Scenarios.

scenarios-replace = { $files ->
    [one] zamiast rozdania zostanie rozegrany plik scenariusza
    [few] zamiast rozdania zostaną rozegrane { $files } pliki scenariuszy
   *[many] zamiast rozdania zostanie rozegranych { $files } plików scenariuszy
}
    .hint = aby rozdać karty, przenieś pliki ssc_*.json albo wskaż inny katalog opcją `--scenarios`
embedded-replace = { $files ->
    [one] zamiast rozdania zostanie rozegrany scenariusz wbudowany w program
    [few] zamiast rozdania zostaną rozegrane { $files } scenariusze wbudowane w program
   *[many] zamiast rozdania zostanie rozegranych { $files } scenariuszy wbudowanych w program
}
    .hint = aby rozdać karty, wskaż katalog bez scenariuszy opcją `--scenarios`
seed-without-effect = `--seed` nie ma znaczenia: karty określa scenariusz
no-scenarios-directory = katalog scenariuszy `{ $directory }` nie istnieje
    .hint = wskaż istniejący katalog albo pomiń `--scenarios`
no-scenarios-variable = `WAR_SCENARIOS` wskazuje `{ $directory }`, a to nie jest katalog
    .hint = użyto scenariuszy wbudowanych w program
no-such-scenario = nieznany scenariusz `{ $name }`
    .hint = dostępne: { $known }; ścieżka zawiera ukośnik albo kończy się na `.json`
scenario-unreadable = nie można odczytać pliku: { $reason }
    .hint = sprawdź, czy to zwykły plik i czy można go odczytać
scenario-bad-json = { $file }: niepoprawny JSON: { $reason }
scenario-mangled = SpecialCodeFileMangledException: { $file }: { $reason }
scenario-syntax = wiersz { $line }, kolumna { $column }: { $reason }
    .hint = podaj po jednym rzędzie liczb na gracza, na przykład [[9,10,11],[12,13,14]]; sprawdź, czy nie brakuje przecinka lub nawiasu
syntax-ends = nieoczekiwany koniec pliku
syntax-unexpected = nieoczekiwany znak `{ $found }`
scenario-encoding = wiersz { $line }, kolumna { $column }: { $reason }
scenario-empty = wiersz 1, kolumna 1: plik jest pusty
    .hint = podaj po jednym rzędzie liczb na gracza, na przykład [[9,10,11],[12,13,14]]
scenario-bom = wiersz 1, kolumna 1: plik zaczyna się od znacznika kolejności bajtów (BOM)
    .hint = zapisz go jako UTF-8 bez tego znacznika
scenario-too-large = plik jest większy niż { $bytes } B
    .hint = scenariusz ma 24 albo 52 karty; sprawdź, czy to właściwy plik
scenario-no-rows = oczekiwano listy rzędów, znaleziono { $found }
    .hint = podaj po jednym rzędzie liczb na gracza, na przykład [[9,10,11],[12,13,14]]
scenario-no-row = rząd { $row }: oczekiwano listy liczb całkowitych, znaleziono { $found }
    .hint = podaj karty każdego gracza w nawiasach, na przykład [9,10,11]
scenario-no-number = rząd { $row }: oczekiwano liczby całkowitej, znaleziono { $found }
    .hint = podaj każdą kartę jako liczbę od 2 do 14
scenario-value = rząd { $row }: oczekiwano karty od 2 do 14, znaleziono { $found }
    .hint = 11 to walet, 12 to dama, 13 to król, 14 to as
scenario-no-player = oczekiwano od 1 do 5 graczy, nie znaleziono żadnego
    .hint = podaj po jednym rzędzie kart na gracza
scenario-players = oczekiwano od 1 do 5 graczy, znaleziono { $found }
    .hint = usuń rzędy, aż zostanie 5
scenario-bad = { $file }: { $reason }
scenario-players-few = oczekiwano od 2 do 5 graczy, znaleziono { $found }
    .hint = podaj po jednym rzędzie kart na gracza
scenario-players-many = oczekiwano od 2 do 5 graczy, znaleziono { $found }
    .hint = usuń rzędy, aż zostanie 5
scenario-no-card = nie ma ani jednej karty
    .hint = podaj karty każdego gracza w nawiasach, na przykład [[9,10,11],[12,13,14]]
scenario-too-many-any = oczekiwano najwyżej 10 000 kart, znaleziono { $found }
    .hint = usuń część kart
scenario-value-any = rząd { $row }: oczekiwano karty od 1 do 14, znaleziono { $found }
    .hint = 11 to walet, 12 to dama, 13 to król, 14 to as
scenario-cards-any-rank = oczekiwano od 2 do 255 kart, znaleziono { $found }
    .hint = dodaj albo usuń karty
scenario-players-two = oczekiwano 2 graczy, znaleziono { $found }
    .hint = podaj dwa rzędy kart albo użyj `--out-of-cards eoc`, jeśli graczy ma być więcej
scenario-values-many = oczekiwano najwyżej 64 różnych wartości, znaleziono { $found }
    .hint = liczy się tylko kolejność wartości: niektóre sąsiednie wartości oznacz tą samą liczbą
scenario-too-few = oczekiwano 24 albo 52 kart, znaleziono { $found }: za mało na talię
    .hint = dodaj karty, aż będzie ich 24
scenario-between = oczekiwano 24 albo 52 kart, znaleziono { $found }: za dużo na małą talię, za mało na dużą
    .hint = usuń karty, aż będzie ich 24, albo dodaj, aż będzie ich 52
scenario-too-many = oczekiwano 24 albo 52 kart, znaleziono { $found }: za dużo na talię
    .hint = usuń karty, aż będzie ich 52

## Recording.

recorded = { $file }: { $events ->
    [one] zapisano { $events } zdarzenie
    [few] zapisano { $events } zdarzenia
   *[many] zapisano { $events } zdarzeń
}, skrót końcowy { $digest }
recorded-hint = `{ $command }` sprawdza, czy to ta gra
game-interrupted = { $file }: przerwano w turze { $turn }; { $events ->
    [one] zapisano { $events } zdarzenie
    [few] zapisano { $events } zdarzenia
   *[many] zapisano { $events } zdarzeń
}, skrót końcowy { $digest }
    .hint = dziennik jest kompletny do tej tury i kończy się na `cut_off`
games-not-begun = przerwano: { $games ->
    [one] nie rozegrano { $games } scenariusza
    [few] nie rozegrano { $games } scenariuszy
   *[many] nie rozegrano { $games } scenariuszy
}
journal-not-ended = { $file }: przerwano w turze { $turn }, ale nikt nie czytał dziennika, więc brakuje jego końca
    .hint = zapisz to, co odczytano, w pliku i dokończ go poleceniem `war journal repair`
journal-stream-failed = { $code } nie można zapisać dziennika na standardowym wyjściu w turze { $turn }: { $reason }
    .hint = grę przerwano; jeśli to, co zapisano wcześniej, jest w pliku, można go dokończyć poleceniem `war journal repair`
journal-and-result = `--journal -` i `--result` nie mogą razem zajmować standardowego wyjścia
    .hint = zapisz grę w pliku
durable-stream = `--durable` wymaga pliku, a standardowe wyjście nim nie jest
    .hint = skieruj standardowe wyjście do pliku albo pomiń `--durable`
journal-exists = { $code } dziennik `{ $file }` już istnieje, a dzienników się nie nadpisuje
    .hint = podaj nazwę nowego pliku
journal-exists-in-directory = { $code } dziennik `{ $file }` już istnieje, a dzienników się nie nadpisuje
    .hint = wskaż inny katalog (`--journal-dir`) albo przenieś ten plik
journal-not-created = { $code } nie można utworzyć dziennika `{ $file }`: { $reason }
    .hint = sprawdź, czy katalog istnieje i czy można w nim zapisywać
journal-new-not-written = { $code } nie można zapisać nowego dziennika `{ $file }`: { $reason }
    .hint = zwolnij miejsce albo wskaż plik gdzie indziej; stary dziennik pozostał bez zmian
import-not-written = { $code } nie można zapisać dziennika `{ $file }`: { $reason }
    .hint = zwolnij miejsce albo wskaż inny katalog opcją `--journal-dir`; niepełny dziennik usunięto
journal-not-written = { $code } nie można zapisać dziennika `{ $file }` w turze { $turn }: { $reason }
    .hint = grę przerwano; to, co zapisano, można odzyskać poleceniem `war journal repair`
journal-not-begun = { $code } nie można zapisać dziennika `{ $file }` w turze { $turn }: { $reason }
    .hint = grę przerwano i nic z niej nie zapisano; zwolnij miejsce, usuń ten plik i zagraj jeszcze raz

## Importing tables.

import-refused = { $file }:{ $line }: { $reason }
    .hint = takiej gry nie da się rozegrać; porównaj ten wiersz z oryginalną tabelą
import-too-long = { $file } jest większy niż 64 MiB
    .hint = żadna tabela nie jest tak długa; sprawdź, czy to właściwy plik
import-no-header = oczekiwano nagłówka tabeli, znaleziono { $found }
import-empty = nie znaleziono tabeli
import-no-row = oczekiwano wiersza tabeli, znaleziono { $found }
import-no-round = oczekiwano kolejnej rundy, bo gra jeszcze się nie skończyła, znaleziono { $found }
import-no-pair = niepełna para kart w { $found }
import-no-rank = oczekiwano karty od 01 do 13, znaleziono { $found }
import-after-end = nieoczekiwany wiersz po końcu gry: { $found }
import-no-end = tabela kończy się przed końcem gry
import-ends-early = wojna w tym wierszu trwa dalej, ale brakuje jej kart: { $found }
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
}, { $outcome }, { $proof }, skrót końcowy { $digest }
proof-seed = karty z ziarna { $seed }
proof-fixed = karty z ziarna { $seed }, jedna ręka ustalona
proof-commitment = rozdano zgodnie ze zobowiązaniem
proof-undealt = nie rozdano kart
proof-scenario = karty wzięte z dziennika (scenariusz)
proof-import = karty wzięte z dziennika (import)
verdict-fault = { $verdict } { $file }: { $events ->
    [one] { $events } zdarzenie przed tym miejscem jest nienaruszone
    [few] { $events } zdarzenia przed tym miejscem są nienaruszone
   *[many] { $events } zdarzeń przed tym miejscem jest nienaruszonych
}
verdict-unreadable = UNREADABLE { $file }
outcome-won = wygrał gracz{ $winner }
outcome-drawn = remis
outcome-endless = bez końca
outcome-folded = obaj gracze spasowali
outcome-stopped = przerwana
outcome-cut-off = urwana
rendered-anew = zapisano w innym języku lub bez ekranów: nie porównano skrótu wydruku
no-such-turn = nie ma tury { $turn }: ostatnia tura ma numer { $last }
divergence =
    zdarzenie { $seq }, wiersz { $line }, tura { $turn }
    zdarzenie w dzienniku:  { $journal }
    zdarzenie według zasad: { $rules }
    karty w dzienniku:      { $journal_hands }
    karty według zasad:     { $rules_hands }
rules-allow-none = brak, bo gra jest skończona albo czeka na coś innego
impossible-event = (takie zdarzenie nie może tu wystąpić)

## Journals.

journal-empty = plik jest pusty
    .hint = niczego nie zapisano; sprawdź, czy to właściwy plik i czy na dysku jest miejsce
journal-bom = plik zaczyna się od znacznika kolejności bajtów (BOM)
    .hint = zapisz go jako UTF-8 bez tego znacznika
journal-not-json = plik nie jest w formacie JSON
    .hint = sprawdź, czy to właściwy plik
journal-other-json = plik jest w formacie JSON, ale nie jest dziennikiem
    .hint = dziennik zapisuje `war 4 small --journal PLIK`; scenariusz rozgrywa `war --scenario PLIK`
journal-no-beginning = brakuje początku dziennika
    .hint = użyj całego pliku; aby śledzić taki, który rośnie: `tail -n +1 -f PLIK | war replay -`
journal-version = ten dziennik ma wersję { $version }, a program obsługuje wersje do { $known }
    .hint = użyj wersji programu, która zapisała ten dziennik
journal-unknown-rules = zasady `{ $rules }` z tymi parametrami nie są obsługiwane
    .hint = użyj wersji programu, która zapisała ten dziennik
journal-own-rules = zasady `{ $rules }` należą do innego programu
    .hint = użyj programu, który zapisał ten dziennik
journal-unknown-generator = nieznany generator `{ $generator }`
    .hint = użyj wersji programu, która zapisała ten dziennik
journal-header-cut = plik urywa się w nagłówku
    .hint = niczego z tej gry nie da się odzyskać
journal-cut-off = plik urywa się w zdarzeniu { $events }
    .hint = grę do tego miejsca można odzyskać poleceniem `war journal repair`
journal-no-end = plik urywa się bez rekordu końcowego, po { $events ->
    [one] { $events } zdarzeniu
    [few] { $events } zdarzeniach
   *[many] { $events } zdarzeniach
}
    .hint = grę do tego miejsca można odzyskać poleceniem `war journal repair`
journal-syntax = niepoprawny JSON
    .hint = plik zmieniono po zapisaniu; użyj niezmienionej kopii
journal-salvage = `war journal repair --salvage` zachowa zdarzenia sprzed tego miejsca
journal-meta = niepoprawne `meta`: { $reason }
    .hint = plik zmieniono po zapisaniu; użyj niezmienionej kopii
meta-empty-key = pusty klucz
meta-duplicate = klucz `{ $key }` występuje dwa razy
meta-unordered = klucz `{ $key }` nie jest na swoim miejscu; klucze są uporządkowane według bajtów
meta-too-many = więcej wpisów niż { $most }
meta-too-long = więcej bajtów JSON niż { $longest }
journal-field = { $reason }
    .hint = plik zmieniono po zapisaniu; użyj niezmienionej kopii
field-missing = brakuje pola `{ $name }`
field-unknown = nieznane pole `{ $name }`
field-duplicate = pole `{ $name }` występuje dwa razy
field-unknown-value = nieznana wartość `{ $name }`
field-bad-value = { $name } jest niedozwoloną wartością tego pola
field-shape = oczekiwano obiektu, a znaleziono listę, albo odwrotnie
field-unfit = ta wartość nie pasuje do tego pola
field-form = zdarzenie zapisano w innej postaci niż pierwsze, pełnej albo zwięzłej
field-line = każdy wiersz musi zawierać dokładnie jeden cały rekord
field-no-name = niepoprawne imię: musi mieć od 1 do 32 widocznych znaków, bez odstępów na początku i na końcu
field-no-client-seed = niepoprawne ziarno gracza: może mieć najwyżej 64 bajty widocznego tekstu
field-no-numbers = niepoprawni gracze: podaje się dwie różne liczby całkowite od 1 do { $highest }
field-other = { $reason }
journal-too-long = rekord jest dłuższy niż 1 MB
    .hint = żadne zdarzenie nie jest tak długie; plik zmieniono po zapisaniu
journal-header-too-long = nagłówek jest dłuższy niż 2 MB
    .hint = żaden nagłówek nie jest tak długi; plik zmieniono po zapisaniu
journal-too-deep = rekord jest zagnieżdżony głębiej niż na 64 poziomy
    .hint = żadne zdarzenie nie jest tak zagnieżdżone; plik zmieniono po zapisaniu
journal-bad-seed = `{ $seed }` nie jest poprawnym ziarnem generatora `{ $generator }`
    .hint = plik zmieniono po zapisaniu; użyj niezmienionej kopii
journal-bad-name = plik scenariusza nie może się nazywać `{ $name }`
    .hint = plik zmieniono po zapisaniu; użyj niezmienionej kopii
journal-unknown-language = nieznany język `{ $lang }`
    .hint = użyj wersji programu, która zapisała ten dziennik
journal-unknown-renderer = nieznana wersja ekranów { $renderer }
    .hint = użyj wersji programu, która zapisała ten dziennik
journal-newer = { $reason } (zapis nowszej wersji programu)
    .hint = użyj wersji programu, która zapisała ten dziennik
journal-not-canonical = plik nie jest w postaci kanonicznej: jego pola posortowano
    .hint = robi tak na przykład `jq -S`; użyj oryginału albo kopii z `jq .`
journal-bad-correction = poprawki w nagłówku nie były potrzebne albo prowadzą do innej gry
    .hint = plik zmieniono po zapisaniu; użyj niezmienionej kopii
journal-sequence = oczekiwano zdarzenia { $expected }, znaleziono zdarzenie { $found }
    .hint = zdarzenie usunięto, powtórzono albo przeniesiono; użyj niezmienionej kopii
journal-chain = łańcuch skrótów nie zgadza się przy zdarzeniu { $seq }
    .hint = to zdarzenie albo łańcuch przed nim zmieniono po zapisaniu
journal-header-chain = łańcuch skrótów nie zgadza się z nagłówkiem
    .hint = nagłówek zmieniono po zapisaniu
journal-end-chain = łańcuch skrótów nie zgadza się z rekordem końcowym
    .hint = rekord końcowy zmieniono po zapisaniu
journal-compact-chain = łańcuch skrótów nie zgadza się z rekordem końcowym
    .hint = rekord końcowy lub coś w dowolnym wierszu przed nim zmieniono po zapisaniu; użyj niezmienionej kopii
journal-digest = skrót końcowy to { $found }, oczekiwano { $expected }
    .hint = dziennik jest nienaruszony, ale ma inny skrót końcowy
journal-no-tokens = to nie jest gra na żetony
    .hint = zobowiązanie, numer i ziarna graczy są tylko w grach na żetony
journal-other-commitment = zobowiązanie stołu to { $found }, oczekiwano { $expected }
    .hint = dziennik jest nienaruszony, ale nie pochodzi z oczekiwanej gry
journal-other-game = to gra { $found }, oczekiwano gry { $expected }
    .hint = dziennik jest nienaruszony, ale nie pochodzi z oczekiwanej gry
journal-other-seed = ziarno ujawnione na miejscu { $seat } to { $found }, oczekiwano { $expected }
    .hint = dziennik jest nienaruszony, ale nie pochodzi z oczekiwanej gry
journal-no-seed = na miejscu { $seat } nie ujawniono ziarna, oczekiwano { $expected }
    .hint = dziennik jest nienaruszony, ale nie pochodzi z oczekiwanej gry
journal-text-seeds = ziarna graczy to teksty, oczekiwano 64 cyfr szesnastkowych
    .hint = ta gra ma wersję 1 swoich zasad: porównaj teksty z tym, co wypisuje odtworzenie
journal-end = rekord końcowy ma `{ $field }` { $found }, a ze zdarzeń wynika { $expected }
    .hint = rekord końcowy zmieniono po zapisaniu
journal-end-winner = powód i zwycięzca w rekordzie końcowym są sprzeczne
    .hint = zwycięzcę ma tylko gra wygrana
journal-upgraded-from = dziennik podaje, że powstał z { $found }, a ze zdarzeń wynika { $expected }
    .hint = użyj ponownie `war journal upgrade` na pierwotnym dzienniku
journal-data-after-end = nieoczekiwane dane po końcu dziennika
    .hint = usuń wszystko po rekordzie końcowym
journal-diverges = zdarzenie { $seq } w turze { $turn } jest niezgodne z zasadami
    .hint = od tego miejsca gra nie przebiegała zgodnie z zasadami
journal-turn = zdarzenie { $seq } ma turę { $found }, a ze zdarzeń wynika { $expected }
    .hint = numer tury zmieniono po zapisaniu
journal-state = stan po zdarzeniu { $seq } w turze { $turn } to { $found }, a ze zdarzeń wynika { $expected }
    .hint = stan zmieniono po zapisaniu
journal-console = skrót wydruku to { $found } (bajtów: { $found_bytes }), a zdarzenia wypisują { $expected } (bajtów: { $expected_bytes })
    .hint = zmieniono rekord końcowy albo grę wypisał inny program
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
journal-generator = z tym ziarnem generator rozdaje inne karty
    .hint = ziarno albo rozdanie zmieniono po zapisaniu
journal-chance = generator daje inną kolejność kart
    .hint = ziarno albo kolejność zmieniono po zapisaniu
journal-impossible = zdarzenie { $seq } w turze { $turn } zapisuje losowanie, które nie może się zdarzyć
    .hint = gracz nie ma tej karty w tym miejscu albo ułożono inne karty
journal-deal-kind = te zasady nie dopuszczają takiego rozdania
    .hint = zasady, rozdanie albo jego generator zmieniono po zapisaniu
journal-commitment = ujawnione ziarno nie zgadza się ze zobowiązaniem
    .hint = ziarno wybrano albo zmieniono po zobowiązaniu, więc karty mogły zostać dobrane celowo
journal-opened-seed = ziarno ujawnione na miejscu { $seat } nie zgadza się z podanym wcześniej skrótem
    .hint = ziarno zamieniono po złożeniu zobowiązań, więc karty mogły zostać dobrane celowo
journal-not-started = pierwsze zdarzenie nie zaczyna gry
    .hint = gra na żetony zaczyna się od `started`, a od wersji 2 swoich zasad od `committed`
journal-no-deck = rozdane karty nie tworzą talii do tej gry
    .hint = nagłówek albo rozdanie zmieniono po zapisaniu

## The commands on journals.

interrupted = przerwano
not-made = przerwano: nie utworzono `{ $file }`
    .hint = aby go utworzyć, uruchom polecenie jeszcze raz
replay-interrupted = przerwano: { $events ->
    [0] nie sprawdzono żadnego zdarzenia z { $file }
    [one] sprawdzono tylko pierwsze zdarzenie z { $file }
    [few] sprawdzono tylko pierwsze { $events } zdarzenia z { $file }
   *[many] sprawdzono tylko pierwszych { $events } zdarzeń z { $file }
}
show-header =
    dziennik: { $file }
    program:  { $engine }
    zasady:   { $rules }
    gracze:   { $players }
    talia:    { $deck }
    karty:    { $deal }
    język:    { $lang }
show-seed = tasowanie z ziarnem { $seed }
show-fixed = tasowanie z ziarnem { $seed }, { $cards ->
    [one] { $cards } karta ustalona
    [few] { $cards } karty ustalone
   *[many] { $cards } kart ustalonych
} dla gracza { $player }
show-committed = rozdanie z ziarna objętego zobowiązaniem
show-scenario = scenariusz `{ $name }`
show-imported = import z wydrukowanej tabeli
show-full = format:   wersja 2
show-compact = format:   wersja 2, zwięzły
show-upgraded = powstał:  z { $digest }
show-note = notatka:  { $key } = { $value }
show-summary =
    zdarzeń:  { $events }
    tur:      { $turns }
    wojen:    { $wars }
    wypisano: { $bytes } B
show-tokens-summary =
    zdarzeń:  { $events }
    rozdań:   { $turns }
    wypisano: { $bytes } B
diff-none = brak różnic
diff-header = nagłówki się różnią
diff-event = różni się zdarzenie { $seq } w turze { $turn }
diff-end = rekordy końcowe się różnią
diff-side = { $file }: { $says }
diff-same-game = gry są takie same, zdarzenie po zdarzeniu
diff-screen =
    { "" }
    { $file }, tura { $turn }:
diff-no-screen = (brak ekranu: gra już się skończyła)
diff-not-by-rules = (dalszy ciąg jest niezgodny z zasadami: więcej mówi `war replay`)
stats-war =
    zasady:            { $rules }
    tur:               { $turns }
    wojen:             { $wars }
    najdłuższa wojna:  { $longest }
    największy stos:   { $largest }
    zmian lidera:      { $changes }
stats-none = brak
stats-longest = { $cards ->
    [one] po { $cards } odkrytej karcie
    [few] po { $cards } odkryte karty
   *[many] po { $cards } odkrytych kart
}, w turze { $turn }
stats-largest = { $cards ->
    [one] { $cards } karta
    [few] { $cards } karty
   *[many] { $cards } kart
}, zebrał gracz{ $player } w turze { $turn }
stats-tokens =
    zasady:   { $rules }
    rozdań:   { $deals }
    remisów:  { $ties }
stats-player = gracz
stats-dealt = rozdano
stats-most = najwięcej
stats-most-in = w turze
stats-held = na końcu
stats-turns-won = wygrane tury
stats-wars-won = wojny
stats-out-in = odpada w turze
stats-played = zagrane
stats-folded = spasowane
stats-timed-out = po czasie
stats-won-tokens = żetony
stats-chart = Karty każdego gracza w kolejnych turach (* oznacza kilku graczy):
stats-no-chart = wykres pokazuje liczbę kart w kolejnych turach, a gra o żetony jej nie ma
    .hint = pomiń `--plot` albo zapisz dane w pliku, który nie jest SVG
stats-plot-title = Wojna: karty { $players ->
    [one] { $players } gracza
    [few] { $players } graczy
   *[many] { $players } graczy
}, { $rules }
stats-plot-figures = tur: { $turns }, wojen: { $wars }, zmian lidera: { $changes }
stats-plot-player = gracz{ $player }
stats-plot-turns = tura
stats-plot-cards = karty w ręce
repaired = { $file }: { $events ->
    [one] { $events } zdarzenie do tury { $turns }
    [few] { $events } zdarzenia do tury { $turns }
   *[many] { $events } zdarzeń do tury { $turns }
} zapisano w { $new } z zakończeniem `cut_off`
repaired-whole = { $file }: { $events ->
    [one] { $events } zdarzenie do tury { $turns }
    [few] { $events } zdarzenia do tury { $turns }
   *[many] { $events } zdarzeń do tury { $turns }
} zapisano w { $new } z rekordem końcowym całej gry
repair-dropped = pominięto: { $bytes ->
    [one] { $bytes } bajt
    [few] { $bytes } bajty
   *[many] { $bytes } bajtów
}, od wiersza { $line }, kolumny { $column }
upgraded = { $file }: { $events ->
    [one] { $events } zdarzenie
    [few] { $events } zdarzenia
   *[many] { $events } zdarzeń
} zapisano w { $new } w wersji 2, skrót końcowy { $digest }
    .hint = zachowaj stary dziennik, jeśli go podpisano albo opublikowano jego skrót
upgrade-no-file = { $file } nie da się przekształcić do wersji 2: trzeba go odczytać dwa razy
    .hint = najpierw zapisz go do pliku
upgrade-nothing = { $file } ma już wersję 2
    .hint = przekształcić można tylko dziennik w wersji 1
upgrade-changed = { $file } zmienił się podczas odczytu
    .hint = spróbuj ponownie, gdy nic do niego nie zapisuje
not-upgraded = { $file } nie przekształcono: można tylko dziennik, który ma koniec i jest poprawny
    .hint = urwany zapis uzupełnia `war journal repair`
repair-nothing = { $file } nie da się naprawić: zapis urwał się przed pierwszym zdarzeniem
    .hint = niczego z tej gry nie da się odzyskać
repair-no-file = { $file } nie da się naprawić: trzeba go odczytać dwa razy
    .hint = najpierw zapisz go do pliku
standard-input-twice = standardowe wejście (`-`) można odczytać tylko raz
    .hint = zapisz jedno z tych wejść do pliku
not-standard-file = `{ $option }` wymaga pliku, a `-` oznacza standardowe wejście lub wyjście
    .hint = podaj nazwę pliku; plik o nazwie `-` to `./-`
not-standard-directory = `{ $option }` wymaga katalogu, a `-` oznacza standardowe wejście lub wyjście
    .hint = podaj nazwę katalogu; katalog o nazwie `-` to `./-`
not-repaired = nie naprawiono { $file }: naprawić można tylko urwany dziennik
    .hint = kompletny dziennik nie wymaga naprawy; zdarzenia sprzed uszkodzenia zachowuje `--salvage`

## Signatures and keys.

verdict-signed = { $line }, podpisano kluczem { $key }
signed = { $file }: podpisano kluczem { $key }
not-signed = nie podpisano { $file }: podpisać można tylko dziennik z wynikiem VERIFIED
    .hint = zapisz grę jeszcze raz albo sprawdź, co jest nie tak: `war journal check`
sign-changing = plik `{ $file }` zmienił się podczas odczytu
    .hint = poczekaj, aż nic do niego nie zapisuje, i spróbuj ponownie
signature-exists = podpis `{ $file }` już istnieje, a podpisów się nie nadpisuje
    .hint = przenieś ten plik, aby podpisać dziennik ponownie
signature-beside = `{ $file }` podaje, że to podpis kluczem { $key }; nie został sprawdzony: `--public-key PLIK` sprawdza go kluczem publicznym podpisującego
not-signature = `{ $file }` nie jest podpisem w formacie minisign
    .hint = użyj pliku zapisanego przez `war journal sign` lub `minisign -S`
signature-legacy = `{ $file }` to podpis minisign starego rodzaju, który nie jest obsługiwany
    .hint = podpisz dziennik ponownie bieżącą wersją minisign, bez `-l`
signature-other-key = podpis złożono innym kluczem, { $found }
    .hint = dziennik jest nienaruszony, ale podpisano go innym kluczem; jeśli masz zaufanie do tego klucza, podaj jego część publiczną
signature-wrong = podpis nie pasuje do pliku
    .hint = dziennik jest nienaruszony, ale to nie ten, który podpisano, albo zmieniono podpis
key-password = Hasło do klucza:{" "}
key-no-password = klucz `{ $file }` jest chroniony hasłem, o które terminal nie może zapytać: { $reason }
    .hint = uruchom to polecenie w terminalu albo użyj klucza bez hasła (`minisign -G -W`)
key-wrong-password = to nie jest hasło do klucza `{ $file }`
    .hint = spróbuj ponownie
key-not-secret = `{ $file }` nie jest kluczem prywatnym w formacie minisign
    .hint = parę kluczy tworzy `minisign -G`; klucz prywatny to plik o nazwie kończącej się na `.key`
key-not-of-table = klucz stołu `{ $file }` nie jest kluczem prywatnym w formacie minisign
    .hint = przywróć klucz ze swojej kopii albo podaj jego plik w `--key`; gdzie pliku nie ma, `war serve` tworzy nowy klucz
table-key-empty = plik klucza stołu `{ $file }` jest pusty
    .hint = przywróć klucz ze swojej kopii albo usuń ten plik, a `war serve` utworzy w nim nowy klucz
table-key-unreadable = nie można odczytać klucza stołu `{ $file }`: { $reason }
    .hint = podaj w `--key` plik z kluczem; gdzie pliku nie ma, `war serve` tworzy nowy klucz
key-not-made = nie można utworzyć klucza stołu `{ $file }`: { $reason }
    .hint = utwórz jego katalog albo wybierz inny plik w `--key`
key-shared = klucz stołu `{ $file }` mogą czytać inni (uprawnienia { $mode })
    .hint = kto ma klucz, może podpisywać w imieniu stołu: jeśli ktoś mógł go skopiować, utwórz nowy, a jeśli nie, wykonaj na tym pliku `chmod 600`
key-protected = klucz stołu `{ $file }` jest chroniony hasłem, a przy uruchamianiu stołu nikt go nie wpisze
    .hint = użyj klucza bez hasła, który tworzy `minisign -G -W`
key-not-public = `{ $file }` nie jest kluczem publicznym w formacie minisign
    .hint = podaj plik o nazwie kończącej się na `.pub` albo sam klucz: 56 znaków zaczynających się od `RW`

## Exports.

export-no-parquet = ten program zbudowano bez obsługi formatu Parquet
    .hint = użyj `--format csv` lub `ndjson` albo zbuduj program poleceniem `cargo install --path crates/cli --features parquet`
export-refused = nie zapisano `{ $file }`: każdy dziennik musi mieć wynik VERIFIED lub INCOMPLETE
    .hint = pomiń dzienniki z innymi wynikami; `--output -` wypisuje zdarzenia sprzed błędu

## Pages that show a game.

view-refused = nie zrobiono strony z `{ $file }`: dziennik musi mieć wynik VERIFIED lub INCOMPLETE
    .hint = `war journal repair --salvage` zachowuje to, co w uszkodzonym dzienniku jest nienaruszone
view-opening = otwieranie strony w przeglądarce: { $address }
view-not-served = nie można udostępnić strony na 127.0.0.1: { $reason }
    .hint = `war view --output PLIK` zapisuje stronę do pliku
view-no-browser = nie udało się otworzyć żadnej przeglądarki
    .hint = podaj przeglądarkę w zmiennej BROWSER albo zapisz stronę do pliku przez `war view --output PLIK`
view-not-fetched = żadna przeglądarka nie pobrała strony w ciągu { $seconds } sekund
    .hint = `war view --output PLIK` zapisuje stronę do pliku
browser-quotes = nie uruchomiono przeglądarki `{ $command }`: brakuje cudzysłowu
browser-not-started = nie można uruchomić przeglądarki `{ $command }`: { $reason }
browser-failed = przeglądarka `{ $command }` zakończyła się kodem { $code }
output-is-journal = `{ $file }` to odczytywany dziennik, który zostałby nadpisany
    .hint = wybierz inny plik
view-over-journal = strona nadpisałaby dziennik `{ $file }`

## Games in the terminal.

no-watch = ten program zbudowano bez `war watch`
    .hint = zbuduje go z tym poleceniem: `cargo run --release --features watch -- watch`
watch-what = `war watch` wymaga dziennika albo liczby graczy i talii, albo `--scenario`
    .hint = `war watch game.json`, `war watch 4 small` albo `war watch --scenario example`
watch-follows-file = `--follow` wymaga dziennika gry, która jest właśnie zapisywana
    .hint = podaj jego plik, na przykład `war watch --follow game.json`
watch-seed-of-file = `--seed` wymaga liczby graczy i talii: karty dziennika są już znane
    .hint = pomiń `--seed`
watch-no-terminal = `war watch` wymaga terminala, na którym może rysować i z którego może czytać klawisze
    .hint = `war replay PLIK` wypisze zapisaną grę wszędzie, a `war watch --plain` wypisze każdą grę tura po turze
watch-failed = nie można użyć terminala: { $reason }
    .hint = `war watch --plain` wypisze grę, zamiast ją rysować
watch-refused = nie można obejrzeć `{ $file }`: dziennik musi być VERIFIED albo INCOMPLETE
    .hint = `war journal repair --salvage` zachowa to, co w uszkodzonym dzienniku jest nienaruszone
watch-too-small = Ten terminal ma { $size } znaków, a `war watch` wymaga { $least }. Powiększ okno albo naciśnij q i użyj `--plain`.
watch-player = gracz{ $number }
watch-title = { $rules }, { $players ->
    [one] { $players } gracz
    [few] { $players } gracze
   *[many] { $players } graczy
}, { $cards ->
    [one] { $cards } karta
    [few] { $cards } karty
   *[many] { $cards } kart
}
watch-seed = ziarno { $seed }
watch-at-turn = tura { $turn } z { $last }
watch-at-deal = rozdanie { $deal } z { $last }
watch-playing = odtwarzanie, { $speed }/s
watch-paused = pauza, { $speed }/s
watch-live = na żywo
watch-dealt = Rozdanie.
watch-turn = Tura { $turn }.
watch-war = Tura { $turn }: wojna!
watch-before-deal = Przed rozdaniem.
watch-deal = Rozdanie { $deal }.
watch-deal-tied = Rozdanie { $deal }: remis.
watch-dealt-cards = { $cards ->
    [one] Rozdano { $cards } kartę.
    [few] Rozdano { $cards } karty.
   *[many] Rozdano { $cards } kart.
}
watch-takes = { $cards ->
    [one] { $player } bierze { $cards } kartę.
    [few] { $player } bierze { $cards } karty.
   *[many] { $player } bierze { $cards } kart.
}
watch-nobody-takes = Nikt nie wygrywa tury i wszyscy biorą karty.
watch-out = { $player } nie ma już kart.
watch-leads = { $player } obejmuje prowadzenie.
watch-shuffled = Wszystkie karty na rękach zostają potasowane.
watch-cut-off = Tu kończy się zapis.
watch-waits = Oczekiwanie na ciąg dalszy.
watch-won = { $player } wygrywa grę.
watch-endless = Karty są takie jak w turze { $turn }: gra nigdy by się nie skończyła.
watch-drawn = Gra kończy się remisem.
watch-stopped = Gra zostaje przerwana i nikt nie wygrywa.
watch-stopped-won = Gra zostaje przerwana, wygrywa { $player }.
watch-committed = Obaj gracze i stół zobowiązali się do swoich ziaren.
watch-table-committed = Stół zobowiązał się do swojego ziarna.
watch-again = Karty są równe: następuje nowe rozdanie.
watch-plays = { $player } gra.
watch-folds = { $player } pasuje.
watch-late = { $player } pasuje, bo skończył się czas.
watch-forfeits = { $player } nie ujawnia ziarna na czas i oddaje grę.
watch-did-win = wygrywa grę
watch-did-run-out = bez kart
watch-did-take = { $cards ->
    [one] bierze { $cards } kartę
    [few] bierze { $cards } karty
   *[many] bierze { $cards } kart
}
watch-did-play = gra
watch-did-fold = pasuje
watch-did-late = pasuje, koniec czasu
watch-did-forfeit = oddaje grę
watch-more-players = { $players ->
    [one] i jeszcze { $players } gracz
    [few] i jeszcze { $players } gracze
   *[many] i jeszcze { $players } graczy
}
watch-question = Przejdź do tury: { $typed }
watch-keys = spacja start  ← → krok  + - tempo  n wojna  / tura  ? klawisze  q koniec
watch-keys-playing = spacja pauza  ← → krok  + - tempo  n wojna  / tura  ? klawisze  q koniec
watch-help = Klawisze
watch-key-space = spacja
watch-help-play = odtwarzanie lub pauza
watch-help-step = tura wstecz lub naprzód
watch-help-page = dziesięć tur wstecz lub naprzód
watch-help-ends = rozdanie, ostatnia tura
watch-help-war = następna wojna lub remis
watch-help-speed = szybciej, wolniej
watch-help-turn = wpisanie numeru tury, potem Enter
watch-help-help = te klawisze; zamyka je dowolny klawisz
watch-help-quit = koniec
watch-help-wars = wojna
watch-help-leads = zmiana lidera
watch-help-outs = komuś kończą się karty
watch-help-here = wyświetlana tura
watch-help-court = J, Q, K i A to na ekranach gry 11, 12, 13 i 14.

## The card table.

bad-setting = `{ $name }` ma wartość { $value }, a dozwolone są wartości od { $least } do { $most }
    .hint = popraw sekcję `[table]` w konfiguracji
bad-origin = `{ $origin }` nie jest poprawnym źródłem strony (origin)
    .hint = podaj je w postaci używanej przez przeglądarki, na przykład https://war.example
bad-host = `{ $host }` nie jest poprawną nazwą hosta
    .hint = podaj nazwę z adresu strony, bez portu, na przykład war.example
bad-header = `{ $header }` nie jest poprawną nazwą nagłówka
    .hint = podaj nagłówek, w którym proxy przekazuje adres klienta, na przykład X-Forwarded-For
fewer-connections = liczba możliwych połączeń to { $possible }, a nie { $asked }: ten proces nie może otworzyć więcej plików
    .hint = podnieś limit (`ulimit -n`) albo zmniejsz liczbę połączeń opcją `--connections`
no-table = ten program zbudowano bez stołu karcianego
    .hint = zbuduje go i otworzy: `cargo run --release --features table -- serve`
table-open = stół jest otwarty: { $address }
table-store = wszystko jest zapisywane w { $store }, { $bots ->
    [0] bez botów
    [one] { $bots } bot
    [few] { $bots } boty
   *[many] { $bots } botów
}; aby zamknąć stół, naciśnij Ctrl-C
table-admin = stan i metryki: { $address }
table-no-admin = stan i metryki są wyłączone
table-key = klucz stołu: `{ $file }`
table-key-made = utworzono klucz stołu: `{ $file }`; zachowaj jego kopię
node-open = ten węzeł działa pod { $address } i prowadzi stół razem z pozostałymi
node-ends = zamykanie węzła: jego gry poprowadzą dalej pozostałe
table-drains = zamykanie stołu: nowe gry się nie zaczynają, a trwające skończą się w swoim czasie
    .hint = drugie Ctrl-C kończy natychmiast; nic nie przepada, trwające gry będą kontynuowane po ponownym uruchomieniu
table-closed = stół jest zamknięty
table-stopped = zatrzymano; trwające gry będą kontynuowane po ponownym uruchomieniu
store-unknown = baza danych to ani `sqlite:PLIK`, ani adres serwera; nie jest wyświetlana, bo może zawierać hasło
    .hint = `sqlite:PLIK` przechowuje wszystko w pliku albo `postgres://UŻYTKOWNIK@HOST/BAZA`, by stół mogło prowadzić kilka węzłów
store-password-visible = inni użytkownicy tego komputera widzą hasło do bazy danych na liście procesów
    .hint = zamiast podawać bazę danych w poleceniu, ustaw zmienną `WAR_TABLE_STORE`
store-unusable = nie można użyć bazy danych `{ $store }`: { $reason }
    .hint = sprawdź, czy ścieżka jest poprawna i czy można tam zapisywać
store-in-use = bazy danych `{ $store }` używa już serwer, inne polecenie `war table` albo inny program
    .hint = najpierw zakończ tamten program (a przy bazie PostgreSQL wszystkie węzły) albo wskaż inną bazę
store-no-locks = nie można użyć bazy danych `{ $store }`: jej system plików nie pozwala blokować plików albo współdzielić pamięci między programami: { $reason }
    .hint = umieść bazę danych na dysku lokalnym; na wielu dyskach sieciowych i w folderach współdzielonych nie może się ona znajdować
store-foreign = `{ $store }` nie jest bazą danych stołu karcianego
    .hint = plik należy do innego programu i pozostał bez zmian; wskaż inny opcją `--store`
store-missing = w `{ $store }` nie ma stołu karcianego: plik jest pusty
    .hint = sprawdź ścieżkę albo przywróć tam kopię zapasową
store-unsound = nie można użyć danych z `{ $store }`: { $reason }
    .hint = przywróć kopię zapasową i wykonaj `war table restored`; niczego nie zmieniono
store-in-the-way = przeszkadza `{ $file }`: tak nazywa się nowa baza, dopóki nie ma w niej wszystkiego
    .hint = przenieś ten plik albo wybierz inne miejsce na bazę; niczego nie zmieniono
store-newer = `{ $store }` utworzyła nowsza wersja programu
    .hint = użyj tamtej wersji albo wskaż inny plik opcją `--store`; ten plik pozostał bez zmian
store-no-file = po `sqlite:` nie ma nazwy pliku; wartość nie jest wyświetlana, bo może zawierać hasło
    .hint = użyj `sqlite:PLIK`; plik o takiej nazwie to `sqlite:./NAZWA`
store-was-open = bazę danych `{ $store }`, w której są ziarna trwających gier, mogli czytać inni; teraz może ją czytać tylko właściciel
store-gone = bazę danych `{ $store }` usunięto, przeniesiono lub zastąpiono, gdy stół był otwarty
    .hint = niczego od tej chwili nie potwierdzono; przywróć plik albo kopię zapasową i uruchom stół ponownie
player-listed = { $player } { $name }: { $sign }{ $tokens ->
    [one] { $tokens } żeton
    [few] { $tokens } żetony
   *[many] { $tokens } żetonów
}, { $state }
player-free = bez gry
player-waiting = czeka na { $game }
player-playing = w grze { $game }
player-of-the-house = komputer
player-banned = bez wstępu
player-banned-playing = bez wstępu, gra { $game } toczy się do końca
player-forgotten = dane usunięte
player-adjusted = stan konta gracza { $player } ({ $name }): { $sign }{ $tokens ->
    [one] { $tokens } żeton
    [few] { $tokens } żetony
   *[many] { $tokens } żetonów
}
player-renamed = gracz { $player } ma teraz imię { $name } i nie może go zmienić
player-now-banned = gracz { $player } ({ $name }) nie ma już wstępu do stołu
player-readmitted = gracz { $player } ({ $name }) znów ma wstęp do stołu
player-now-forgotten = usunięto imię, token i wiadomości gracza { $player }
order-unknown-player = nie ma gracza { $player }
    .hint = wszystkich graczy wymienia `war table players`
order-of-the-house = gracz { $player } to komputer
order-forgotten = dane gracza { $player } już usunięto
order-banned-already = gracz { $player } już nie ma wstępu
    .hint = wstęp przywraca `war table ban { $player } --lift`
order-not-banned = gracz { $player } ma wstęp do stołu
order-too-many-tokens = tylu żetonów nie można graczowi { $player } dać ani zabrać
bad-tokens = `{ $value }` to nie liczba żetonów, które można dać lub zabrać
    .hint = podaj liczbę całkowitą do { $most }, a żeby zabrać żetony, poprzedź ją znakiem `-`
bad-reason = powód musi mieć od 1 do { $longest } znaków w jednym wierszu
bad-name = `{ $value }` nie może być imieniem gracza: { $reason }
operator-off = stół nie odpowiada operatorom: ich adres to `off`
    .hint = uruchom go poleceniem `war serve --admin ADRES`
operator-wrong-key = stół pod adresem `{ $address }` ma inny klucz niż `{ $file }`
    .hint = sprawdź adres albo podaj w `--key` plik jego klucza, który wypisuje `war serve`
operator-unreachable = pod adresem `{ $address }` nie odpowiada żaden stół: { $reason }
    .hint = sprawdź, czy jest otwarty, i podaj w `--admin` adres, który wypisuje dla stanu i metryk
operator-no-table = pod adresem `{ $address }` nie odpowiada stół karciany w tej wersji
    .hint = podaj w `--admin` adres, który stół wypisuje dla stanu i metryk, i użyj programu, który go prowadzi
operator-silent = stół pod adresem `{ $address }` nie może teraz odpowiedzieć: { $reason }
    .hint = powód podaje jego `/health`; spróbuj ponownie, gdy minie
operator-not-served = żaden węzeł nie prowadzi teraz tej części stołu: nic nie zrobiono
    .hint = spróbuj ponownie za kilka sekund; jeśli to nie pomoże, sprawdź `/health` węzłów
operator-unavailable = stół nie może teraz odpowiedzieć, ale polecenie mogło zostać wykonane: { $reason }
    .hint = przed ponowną próbą sprawdź `/health` i, poleceniem `war table players`, co zrobiono
table-key-missing = w `{ $file }` nie ma klucza stołu
    .hint = uruchom to tam, gdzie działa stół, albo podaj jego klucz w `--key`
store-fault-event = nie można odczytać zdarzenia { $number }
store-fault-ledger = w księdze brakuje zapisów zdarzenia { $number } albo są inne
store-fault-balance = stan konta gracza { $player } nie wynika z księgi
store-fault-messages = brakuje wiadomości do gracza { $player } albo mają złe numery
store-fault-journal = dziennik gry { $game } jest niepoprawny albo inny niż ten, który mają gracze
store-fault-game = zapis gry { $game } dla jej graczy nie istnieje albo jest inny niż przebieg gry
store-fault-record = wyniki gier gracza { $player } albo stany konta po nich się nie zgadzają
store-fault-rating = miejsce gracza { $player } w rankingu nie wynika z gier (0 to komputer)
store-fault-leaf = brakuje liścia { $number } dziennika stołu lub jednego z następnych, albo go zmieniono
store-verified = VERIFIED: { $events ->
    [one] { $events } zdarzenie
    [few] { $events } zdarzenia
   *[many] { $events } zdarzeń
}, { $players ->
    [one] { $players } gracz
    [few] { $players } gracze
   *[many] { $players } graczy
}, { $games ->
    [one] { $games } dziennik
    [few] { $games } dzienniki
   *[many] { $games } dzienników
} i { $leaves ->
    [one] { $leaves } liść
    [few] { $leaves } liście
   *[many] { $leaves } liści
} dziennika stołu
store-damaged = DAMAGED: { $faults ->
    [one] { $faults } błąd
    [few] { $faults } błędy
   *[many] { $faults } błędów
} w bazie danych
messages-removed = usunięto { $messages ->
    [one] { $messages } wiadomość starszą
    [few] { $messages } wiadomości starsze
   *[many] { $messages } wiadomości starszych
} niż { $days ->
    [one] { $days } dzień
    [few] { $days } dni
   *[many] { $days } dni
}
bad-days = `{ $value }` to nie liczba dni
    .hint = podaj na przykład `30d`, czyli 30 dni; od `1d` do `36500d`
database-malformed = nie można odczytać adresu bazy danych; nie jest wyświetlany, bo może zawierać hasło
    .hint = napisz `postgres://UŻYTKOWNIK:HASŁO@HOST:PORT/BAZA`; w nazwie użytkownika i w haśle zapisz `%` jako `%25`, `/` jako `%2F`, `:` jako `%3A`, `?` jako `%3F`, a `@` jako `%40`
database-without-host = w adresie bazy danych brakuje hosta
    .hint = podaj go, np. `postgres://localhost/war`, albo podaj katalog gniazda, np. `postgres://%2Frun%2Fpostgresql/war`
database-tls-mode = PostgreSQL nie ma takiego `sslmode`, jaki podano w adresie bazy danych
    .hint = użyj `disable`, `allow`, `prefer`, `require`, `verify-ca` albo `verify-full`
database-tls-contradiction = opcje TLS w adresie bazy danych nie pasują do siebie
    .hint = `sslcert` i `sslkey` podaje się razem, `sslrootcert=system` wymaga `sslmode=verify-full`, a `sslnegotiation=direct` co najmniej `sslmode=require`
database-no-tls = baza danych `{ $store }` nie oferuje TLS, więc inni po drodze mogliby czytać i zmieniać przesyłane dane
    .hint = włącz `ssl` w PostgreSQL; jeśli ufasz wszystkim po drodze, dodaj do adresu `sslmode=disable`
database-untrusted = nie można zaufać bazie danych `{ $store }`: { $reason }
    .hint = jej certyfikat musi zawierać nazwę hosta (`subjectAltName`) i pochodzić z urzędu certyfikacji, któremu ufa ten system; jeśli to urząd prywatny, dodaj do adresu `sslrootcert=PLIK` z certyfikatem tego urzędu
database-tls-file = nie można użyć TLS z bazą danych `{ $store }`: { $reason }
    .hint = sprawdź pliki podane w adresie (`sslrootcert`, `sslcert`, `sslkey`) oraz certyfikaty, którym ufa ten system
database-unsafe-login = baza danych `{ $store }` wymaga logowania metodą `{ $method }`; hasła nie wysłano
    .hint = użyj metody `scram-sha-256`, która nigdy nie wysyła hasła: ustaw ją w `pg_hba.conf` i w `password_encryption`, a potem ustaw hasło ponownie; albo użyj certyfikatu klienta (`sslcert`, `sslkey`)
database-way-clear = przy `sslmode={ $mode }` inni po drodze do bazy danych `{ $store }` mogą czytać i zmieniać przesyłane dane, także tajne ziarna
    .hint = włącz `ssl` w PostgreSQL i pomiń `sslmode`
database-way-unverified = przy `sslmode={ $mode }` inny serwer może podszyć się pod bazę danych `{ $store }` oraz czytać i zmieniać przesyłane dane
    .hint = pomiń `sslmode`; jeśli certyfikat wystawił prywatny urząd certyfikacji, dodaj do adresu `sslrootcert=PLIK` z certyfikatem tego urzędu
database-unreachable = nie można połączyć się z bazą danych `{ $store }`: { $reason }
    .hint = sprawdź host i port oraz to, czy PostgreSQL tam działa i przyjmuje kolejne połączenia
database-refused = baza danych `{ $store }` odmówiła dostępu: { $reason }
    .hint = sprawdź użytkownika, hasło i nazwę bazy; tabele leżą w schemacie `war`, którego właścicielem jest użytkownik, który go tworzy (`GRANT CREATE ON DATABASE`)
database-full = brakuje miejsca dla bazy danych `{ $store }`: { $reason }
    .hint = zwolnij miejsce na jej serwerze i spróbuj ponownie; niczego nie zmieniono
database-setting = w bazie danych `{ $store }` ustawiono `{ $setting } = { $found }`, a stół wymaga `{ $needed }`
    .hint = zmień to ustawienie na serwerze, w bazie albo u użytkownika; jeśli serwer jest zapasowy (standby), użyj głównego
database-pooled = program pośredniczący przed bazą danych `{ $store }` dzieli jej połączenia między klientów, a stół wymaga własnych
    .hint = podaj adres samego PostgreSQL albo ustaw w nim tryb sesji (w PgBouncerze `pool_mode = session`)
database-few-connections = liczba połączeń dozwolonych w bazie danych `{ $store }` to { $allowed }, a stół potrzebuje { $needed }: po 7 na każdy węzeł (węzły: { $nodes }) i po jednym na każdy pokój (pokoje: { $rooms }); bez nich część pokojów może być zamknięta dla graczy
    .hint = podnieś { $limit ->
        [server] `max_connections` w PostgreSQL
        [user] `CONNECTION LIMIT` użytkownika
       *[database] `CONNECTION LIMIT` bazy danych
    }
database-no-connections = liczba połączeń dozwolonych w bazie danych `{ $store }` to { $allowed }, a węzeł potrzebuje co najmniej { $needed }
    .hint = podnieś { $limit ->
        [server] `max_connections` w PostgreSQL
        [user] `CONNECTION LIMIT` użytkownika
       *[database] `CONNECTION LIMIT` bazy danych
    }
database-needs-key = jakim kluczem podpisuje stół w bazie danych `{ $store }`?
    .hint = podaj plik klucza przez `--key`: wszystkie węzły stołu mają ten sam
rooms-need-database = kilka pokojów ma tylko stół w bazie danych, a `{ $store }` to plik
    .hint = pomiń `--rooms`
database-other-key = `{ $file }` to nie klucz stołu w bazie danych `{ $store }`
    .hint = skopiuj plik klucza z innego węzła stołu
database-rooms = stół w bazie danych `{ $store }` ma { $found ->
    [one] { $found } pokój
    [few] { $found } pokoje
   *[many] { $found } pokojów
}, a nie { $asked }
    .hint = liczbę pokojów wybiera się przy tworzeniu danych stołu i potem się nie zmienia
database-missing = w bazie danych `{ $store }` nie ma stołu karcianego
    .hint = sprawdź nazwę bazy; stół tworzy pierwsze `war serve`
database-older = stół karciany w bazie danych `{ $store }` pochodzi ze starszej wersji
    .hint = użyj tamtej wersji; pierwsze `war serve` w tej wersji dostosuje stół
database-foreign = schemat `war` w bazie danych `{ $store }` nie należy do stołu karcianego
    .hint = należy do innego programu i pozostał bez zmian; wskaż inną bazę opcją `--store`
database-newer = dane stołu w bazie danych `{ $store }` utworzyła nowsza wersja programu
    .hint = użyj tamtej wersji albo wskaż inną bazę opcją `--store`; ta pozostała bez zmian
database-replaced = w bazie danych `{ $store }` jest teraz inny stół: gdy ten węzeł działał, przywrócono kopię zapasową
    .hint = uruchom węzeł ponownie
database-unusable = nie można użyć bazy danych `{ $store }`: { $reason }
    .hint = sprawdź dziennik PostgreSQL na jej serwerze
backup-made = skopiowano bazę danych { $store } do pliku { $file }: { $bytes ->
    [one] { $bytes } bajt
    [few] { $bytes } bajty
   *[many] { $bytes } bajtów
}
backup-of-database = nie można skopiować bazy danych `{ $store }`
    .hint = zrób kopię narzędziami PostgreSQL, np. `pg_dump`; to polecenie kopiuje tylko dane stołu w pliku
backup-exists = plik `{ $file }` już istnieje, a kopia zapasowa nigdy nie zastępuje pliku
    .hint = wybierz inną nazwę
backup-unwritable = nie można zapisać kopii zapasowej `{ $file }`: { $reason }
    .hint = sprawdź katalog i dysk; niczego nie zmieniono
store-leaving = stół z bazy danych `{ $store }` jest przenoszony do `{ $to }`
    .hint = przenoszenie przerwano na samym końcu: dokończ je tym samym poleceniem `war table move`
store-moved = stół z bazy danych `{ $store }` przeniesiono do `{ $to }`
    .hint = otwórz go tam; tu został tylko jego dawny stan
store-unconfirmed = dane stołu `{ $store }` skopiowano lub przywrócono, więc może w nich brakować późniejszych gier
    .hint = aby grać dalej bez nich, użyj `{ $restored }`; jeśli nikt później nie grał, użyj `{ $confirmed }`
store-unbalanced = nie można przenieść stołu z bazy danych `{ $store }`: saldo gracza nie zgadza się z księgą
    .hint = przywróć kopię zapasową; niczego nie zmieniono
store-other-key = `{ $file }` to nie klucz stołu w bazie danych `{ $store }`
    .hint = wskaż opcją `--key` klucz, który stół miał przed przeniesieniem
table-moved = przeniesiono stół z { $from } do { $to }: { $players ->
    [one] { $players } gracz
    [few] { $players } graczy
   *[many] { $players } graczy
}, { $running ->
    [0] bez trwających gier
    [one] { $running } trwająca gra
    [few] { $running } trwające gry
   *[many] { $running } trwających gier
}; otwórz go tam, z tym samym kluczem
table-moved-before = stół z { $from } był już w { $to }; otwórz go tam, z tym samym kluczem
copy-confirmed = stół z { $store } gra dalej bez zmian
table-restored = stół z { $store } gra dalej jako stół { $table }, od { $former } z { $leaves ->
    [one] { $leaves } wpisem
    [few] { $leaves } wpisami
   *[many] { $leaves } wpisami
}: { $players ->
    [one] dowie się o tym { $players } gracz
    [few] dowie się o tym { $players } graczy
   *[many] dowie się o tym { $players } graczy
}, { $void ->
    [0] nie unieważniono żadnej trwającej gry
    [one] unieważniono { $void } trwającą grę
    [few] unieważniono { $void } trwające gry
   *[many] unieważniono { $void } trwających gier
}
move-same-kind = stół przenosi się z pliku do bazy PostgreSQL albo z bazy PostgreSQL do pliku
    .hint = plik skopiuj poleceniem `war table backup`, a bazę narzędziami PostgreSQL
move-occupied = w `{ $store }` już coś jest
    .hint = wskaż pustą bazę danych albo plik, którego nie ma; niczego nie zmieniono
move-interrupted = przerwano: stół jest nadal w `{ $store }`
    .hint = zacznij przenoszenie od nowa
move-differs = do `{ $store }` dotarło co innego, niż wysłano
    .hint = sprawdź dysk i pamięć obu maszyn; stół jest tam, gdzie był
move-unfinished = stół opuścił `{ $from }`, ale nie wiadomo, czy dotarł do `{ $to }`: { $reason }
    .hint = najpierw powtórz to samo przenoszenie
store-failed = baza danych zawiodła: { $reason }
    .hint = nic niezapisanego nie zostało potwierdzone; sprawdź dysk i uruchom stół ponownie
listen-failed = nie można nasłuchiwać na { $address }: { $reason }
    .hint = być może portu używa inny program; spróbuj `--listen 127.0.0.1:8081`
peer-listen-failed = nie można nasłuchiwać na { $address }, gdzie mają się łączyć inne węzły: { $reason }
    .hint = podaj inny adres opcją `--peer-listen`
peers-need-database = opcja `{ $option }` jest dla węzłów ze wspólną bazą danych, a dane są w `{ $store }`
    .hint = pomiń ją albo trzymaj stół w bazie danych: `--store postgres://...`
advertise-wildcard = inne węzły nie połączą się z adresem `{ $address }`, który oznacza wszystkie adresy tego komputera
    .hint = podaj ten, pod którym go widzą, na przykład `--advertise 10.0.0.1:7000`
advertise-taken = pod adresem tego węzła, { $address }, odpowiada inny węzeł tego stołu: `{ $node }`
    .hint = podaj każdemu węzłowi jego własny adres opcjami `--peer-listen` i `--advertise` albo najpierw zamknij tamten węzeł
advertise-taken-by-older = pod adresem tego węzła, { $address }, odpowiada inny węzeł tego stołu, w starszej wersji
    .hint = podaj każdemu węzłowi jego własny adres opcjami `--peer-listen` i `--advertise` albo najpierw zamknij tamten węzeł
advertise-alone = `--advertise { $address }` nie działa bez `--peer-listen`
    .hint = podaj też, gdzie nasłuchiwać innych węzłów, na przykład `--peer-listen 0.0.0.0:7000`
admin-failed = nie można nasłuchiwać na { $address }, gdzie mają być stan i metryki: { $reason }
    .hint = podaj inny adres opcją `--admin` albo użyj `--admin off`
not-resolved = nie można znaleźć `{ $address }`: { $reason }
    .hint = sprawdź nazwę albo podaj adres IP
not-started = nie można uruchomić wątków programu: { $reason }
    .hint = zwolnij pamięć albo zezwól na więcej procesów i otwartych plików
preview-title = Wojna: stół karciany
preview-about = Gra karciana dla dwojga, o żetony. Grasz w przeglądarce, bez zakładania konta.
preview-friend = { $name } zaprasza Cię do gry w wojnę
no-such-game = nie ma zakończonej gry o tym numerze
no-such-duel = tego dnia nie ma pojedynku albo jego ziarno nie zostało jeszcze ujawnione
no-host = żądanie musi mieć jeden nagłówek `Host` z poprawną nazwą
foreign-host = stół nie jest dostępny pod tą nazwą; administrator może ją dodać opcją `--host`
too-many-requests = za dużo żądań z tego adresu; spróbuj ponownie później
foreign-origin = strony z tego źródła nie mogą się łączyć

## The log of the card table.

log-checkpoint = `checkpoint` nie jest punktem kontrolnym rejestru stołu karcianego
    .hint = podaj adres samego rejestru, np. https://war.example/log
log-other-key = punktu kontrolnego nie podpisano tym kluczem
    .hint = jeśli klucz jest właściwy, to nie jest rejestr tego stołu
log-signature = punkt kontrolny zmieniono: jego podpis się nie zgadza
    .hint = niczemu w tym rejestrze nie można ufać; pobierz go jeszcze raz, prosto ze stołu
log-other-table = to rejestr innego stołu: wcześniejszy punkt kontrolny jest z `{ $earlier }`, a rejestr z `{ $found }`
    .hint = użyj punktu kontrolnego tego stołu
log-shorter = rejestr miał { $earlier ->
    [one] { $earlier } liść
    [few] { $earlier } liście
   *[many] { $earlier } liści
}, a teraz ma { $found }: usunięto jego koniec
    .hint = zachowaj oba punkty kontrolne: są dowodem
log-forked = początek rejestru, { $earlier ->
    [one] { $earlier } liść
    [few] { $earlier } liście
   *[many] { $earlier } liści
}, nie jest tym, który był wcześniej: stół pokazał dwie historie
    .hint = zachowaj oba punkty kontrolne: są dowodem
log-missing = brakuje `{ $path }`
    .hint = sprawdź, czy to adres lub katalog całego rejestru
log-length = `{ $path }` ma złą długość: coś usunięto albo dodano
    .hint = pobierz rejestr jeszcze raz; jeśli nic się nie zmieni, stół nie pokazuje tego, co podpisał
log-leaf-hash = liść { $leaf } nie jest tym, który jest w drzewie: zmieniono go, usunięto albo przestawiono
    .hint = pobierz rejestr jeszcze raz; jeśli nic się nie zmieni, stół nie pokazuje tego, co podpisał
log-tile = `{ $path }` nie pasuje do liści, które są pod nim
    .hint = pobierz rejestr jeszcze raz; jeśli nic się nie zmieni, stół nie pokazuje tego, co podpisał
log-root = drzewo, w którym jest { $size ->
    [one] { $size } liść
    [few] { $size } liście
   *[many] { $size } liści
}, nie jest tym, które podpisano: coś zmieniono, usunięto albo przestawiono
    .hint = pobierz rejestr jeszcze raz; jeśli nic się nie zmieni, stół nie pokazuje tego, co podpisał
log-leaf = liść { $leaf } nie jest liściem rejestru stołu karcianego
    .hint = do rejestru może pisać tylko program stołu
log-unknown-leaf = liść { $leaf } zaczyna się od `{ $line }`, czego ten program nie zna
    .hint = użyj nowszej wersji programu
log-started-twice = liść { $leaf } ponownie zaczyna grę { $game }: zaczął ją liść { $before }
    .hint = stół użył jednego numeru dla dwóch gier; zachowaj kopię rejestru
log-ended-twice = liść { $leaf } ponownie kończy grę { $game }: skończył ją liść { $before }
    .hint = stół podał dwa wyniki jednej gry; zachowaj kopię rejestru
log-no-start = liść { $leaf } kończy grę { $game }, która się nie zaczęła
    .hint = stół podał wynik bez gry; zachowaj kopię rejestru
log-late-day = liść { $leaf } zawiera zobowiązanie na dzień { $day }, który już trwał
log-other-day = liść { $leaf } zawiera inne zobowiązanie na dzień { $day } niż liść { $before }
log-no-end = gra { $game }, która zaczęła się w liściu { $leaf }, nie skończyła się od { $hours ->
    [one] { $hours } godziny
    [few] { $hours } godzin
   *[many] { $hours } godzin
}
    .hint = stół ukrył jej koniec albo był przez ten czas zamknięty: pobierz rejestr ponownie, gdy stół będzie otwarty od pewnego czasu
log-more = i jeszcze { $faults ->
    [one] { $faults } błąd
    [few] { $faults } błędy
   *[many] { $faults } błędów
}
log-verified = VERIFIED { $log }: { $leaves ->
    [one] { $leaves } liść
    [few] { $leaves } liście
   *[many] { $leaves } liści
}, { $games ->
    [one] { $games } gra
    [few] { $games } gry
   *[many] { $games } gier
}, { $running ->
    [0] wszystkie zakończone
    [one] { $running } niezakończona
    [few] { $running } niezakończone
   *[many] { $running } niezakończonych
}, podpisano kluczem { $key }
    SHA-256 klucza: { $fingerprint }
log-contains = Zawiera wcześniejszy rejestr, { $leaves ->
    [one] { $leaves } liść.
    [few] { $leaves } liście.
   *[many] { $leaves } liści.
}
log-faulty = { $verdict } { $log }: { $leaves ->
    [one] odczytano { $leaves } liść
    [few] odczytano { $leaves } liście
   *[many] odczytano { $leaves } liści
}
log-no-key = `{ $log }` nie ma klucza swojego stołu
    .hint = podaj klucz w `--key`; stół pokazuje go pod adresem `/log/key`
log-untrusted = nie można zaufać `{ $address }`: certyfikat serwera został odrzucony ({ $reason })
    .hint = jeśli wystawił go prywatny urząd certyfikacji, podaj plik z certyfikatem tego urzędu w `SSL_CERT_FILE`
log-unreachable = nie można odczytać `{ $address }`: { $reason }
    .hint = sprawdź adres oraz czy odpowiada pod nim stół albo serwer z kopią jego rejestru
log-no-tls = nie można odczytać `{ $address }`: serwer nie odpowiedział poprawnie w TLS ({ $reason })
    .hint = sprawdź adres: tam, gdzie nie ma TLS, zaczyna się od `http://`
log-no-certificates = `{ $file }`, na który wskazuje `SSL_CERT_FILE`, nie zawiera certyfikatu w formacie PEM
    .hint = podaj plik z certyfikatem urzędu certyfikacji, który wystawił certyfikat serwera
log-bad-earlier = `{ $file }` nie jest punktem kontrolnym podpisanym kluczem { $key }
    .hint = użyj punktu kontrolnego tego stołu, zapisanego przez stronę, albo podaj klucz stołu w `--key`

## What the card table answers.

name-length = imię musi mieć od 1 do { $longest } znaków, bez odstępów na początku i na końcu
name-unseen = każdy znak imienia musi być widoczny
name-not-nfc = imię musi być w normalnej postaci NFC Unicode, w której litera z akcentem jest jednym znakiem
name-leading-mark = znak łączący, na przykład akcent, musi następować po innym znaku tego samego słowa; imię nie może się nim zaczynać
name-no-letter = imię musi mieć co najmniej jedną literę lub cyfrę
name-of-the-house = to imię wygląda jak `House 1`: tak nazywa się tylko komputer
no-object = wiadomość musi być obiektem JSON wysłanym jako tekst
no-request-id = `id` musi mieć od 1 do 64 widocznych znaków ASCII
refused-bad-message = niepoprawne żądanie: { $reason }
refused-old-protocol = ten klient używa innej wersji protokołu: zaktualizuj go lub odśwież stronę
refused-hello-first = najpierw musi być `hello`
refused-hello-again = `hello` już wysłano
refused-id-reused = tego `id` użyto już w innym żądaniu
refused-waiting = już czekasz na przeciwnika
refused-playing = już jesteś w grze
refused-not-waiting = nie czekasz na przeciwnika w tej grze
refused-not-playing = nie jesteś w grze
refused-not-invited = nikt nie czeka na tę grę z tym zaproszeniem: poproś o nowe
refused-inviter-away = osoba, która wysłała zaproszenie, nie ma teraz połączenia: spróbuj za chwilę
refused-no-rematch = rewanż z przeciwnikiem z tej gry nie jest możliwy
refused-no-link = ten link już nie działa: poproś o nowy
refused-too-many-links = masz już { $most } { $most ->
        [one] link
        [few] linki
       *[many] linków
    }: najpierw wycofaj któryś z nich
refused-house-closed = komputer nie gra przy tym stole
refused-stale-seed = to ziarno jest do innej gry niż ta, w której jesteś
refused-wrong-seed = to nie jest ziarno, do którego się zobowiązano
refused-seeds-closed = na ziarno jest za późno
refused-seeded-already = ziarno już ujawniono
refused-stale-decision = ta decyzja dotyczy innych kart niż te na stole
refused-too-late = na tę decyzję jest już za późno
refused-decided-already = decyzję już podjęto
refused-bad-after = nie ma jeszcze tylu wiadomości
refused-too-fast = za dużo żądań w krótkim czasie; spróbuj ponownie później
refused-too-many-connections = ten gracz ma zbyt wiele połączeń
refused-banned = nie masz już wstępu do tego stołu
refused-forgotten = to konto usunięto, a jego klucz już nie działa
refused-draining = stół jest zamykany i nowe gry się nie zaczynają
refused-unavailable = stół nie może tego teraz zrobić; spróbuj ponownie za chwilę

## The load on a card table.

load-opening = otwieranie połączeń: { $count }
load-playing = { $count ->
    [one] gra { $count } gracz
    [few] grają { $count } gracze
   *[many] gra { $count } graczy
}
load-comparing = porównywanie sald: { $count }
load-auditing = szukanie w rejestrze stołu gier: { $count }
load-report =
    połączeni gracze:   { $connected }
    rozstrzygnięte gry: { $games } w { $seconds } s, { $rate } na sekundę
    decyzje:            { $decisions }, potwierdzone po { $p50 } ms (mediana), { $p95 } ms (95%), { $p99 } ms (99%), { $most } ms (najdłużej)
    porównane salda:    { $compared }
    porównane wyniki:   { $results }
load-too-many = stół przyjmuje naraz { $admitted } graczy z jednego adresu, a ten test ma { $players }
    .hint = użyj mniejszych `--players` i `--idle` albo otwórz stół poleceniem `war serve --new-players { $players } --connections-per-address { $players }`
load-slowed = z powodu limitów stołu każdy gracz czekał średnio { $seconds } s; aby test był szybszy, otwórz stół z wyższym `--rate`
load-out-of-requests = { $players ->
    [one] { $players } gracz skończył
    [few] { $players } gracze skończyli
   *[many] { $players } graczy skończyło
} wcześniej, bo stół ogranicza liczbę żądań gracza na godzinę; test z większą liczbą graczy trwa dłużej
load-late = { $moves ->
    [one] { $moves } ruch nadszedł po terminie i liczy się jako pas
    [few] { $moves } ruchy nadeszły po terminie i liczą się jako pas
   *[many] { $moves } ruchów nadeszło po terminie i liczy się jako pas
}
load-not-compared = liczba graczy, których sald nie porównano: { $players }; nie udało się im dokończyć gry albo wrócić do stołu
load-trouble = { $trouble } ({ $count } ×)
load-no-connection = brak połączenia: { $reason }
load-too-fast = stół ogranicza liczbę żądań i nowych graczy z jednego adresu, a limit mogli wyczerpać inni: odczekaj minutę albo otwórz go z wyższym `--rate` i `--new-players`
load-lost = połączenie zostało zerwane: { $reason }
load-no-answer = brak odpowiedzi w ciągu { $seconds } s
load-no-message = wiadomość spoza protokołu
load-unexpected = nieoczekiwana wiadomość: { $message }
load-refused = stół odrzucił żądanie: `{ $code }`
load-results-differ = dwaj gracze jednej gry otrzymali różne wyniki
load-no-journal = stół nie ma zapisu zakończonej gry { $game }
load-shown = dowodzą tego te wiadomości:
    { $messages }
load-unread = nie można odczytać rejestru stołu albo zapisu gry: { $reason }
load-not-verified = NIEZWERYFIKOWANE: temu stołowi nie można ufać albo coś po drodze zmienia jego wiadomości

## How a card table shows that it doesn't play fair.

unfair-sequence = brak wiadomości albo wiadomość powtórzona
unfair-player = stół wziął gracza za kogoś innego
unfair-table = to inny stół niż wcześniej
unfair-key = klucz stołu jest inny niż wcześniej
unfair-not-chosen = gra, której gracz nie wybrał
unfair-own-hash = gra zaczęła się z innym skrótem niż skrót ziarna gracza
unfair-old-game = gra ma numer wcześniejszej gry
unfair-old-commitment = stół użył ponownie zobowiązania, którego ziarno było już znane
unfair-unsigned = początek gry nie został podpisany
unfair-signature = podpis pod początkiem gry się nie zgadza
unfair-other-game = wiadomość dotyczy innej gry niż rozgrywana
unfair-without-seed = karty rozdano bez ziarna gracza
unfair-deal = rozdanie, które nie może należeć do tej gry
unfair-decision = decyzję gracza zmieniono
unfair-timed-out = decyzję wysłaną na czas uznano za spóźnioną
unfair-commitment = ziarno stołu nie zgadza się z jego zobowiązaniem
unfair-seed-dropped = ziarno gracza pominięto
unfair-seed-swapped = ziarno gracza podmieniono
unfair-opponent-seed = ziarno przeciwnika nie zgadza się ze swoim skrótem
unfair-hashes = skróty ziaren w wyniku są inne niż na początku gry
unfair-forfeit = ziarno ujawnione na czas uznano za nieujawnione
unfair-forfeits = według wyniku ktoś nie ujawnił ziarna, ale ziarna albo karty temu przeczą
unfair-deals = karty rozdano więcej albo mniej razy, niż podaje wynik
unfair-cards = karty nie wynikają z ziaren
unfair-no-tie = rozdano nowe karty, choć remisu nie było
unfair-tie = remis rozstrzygnięto bez nowych kart
unfair-shown = wynik pokazuje inne karty niż rozdane
unfair-outcome = wynik podaje niewłaściwego zwycięzcę
unfair-stakes = wypłata w wyniku jest inna niż stawka
unfair-unended = wynik nie mówi, jak kończy się dziennik gry
unfair-balance = saldo nie zgadza się z wynikami
unlogged-start = w rejestrze brakuje początku gry { $game }
unlogged-end = w rejestrze brakuje końca gry { $game }
unlogged-other-start = rejestr ma inny początek gry { $game }, niż widzieli gracze
unlogged-other-end = rejestr ma inny koniec gry { $game }, niż widzieli gracze
unlogged-journal = zapis gry { $game } nie jest zapisem tej gry, którą rozegrano

## Simulation: games of any rules.

sim-rules = zasady:            gracze: { $players }, { $deal }, zakrytych: { $face_down }, zbieranie: { $collect }, brak kart: { $rule }{ $rest }
sim-piles = {", "}stosy: { $piles }
sim-limit = {", "}najwyżej { $turns ->
    [one] { $turns } tura
    [few] { $turns } tury
   *[many] { $turns } tur
}
sim-deal-shuffled = talia { $deck }
sim-deal-fixed = talia { $deck }, { $hand } dla gracza { $player }
sim-deal-given = ręce z `{ $name }`
sim-games = gry:               { $games } z ziarnem { $seed }, numery od { $from } do { $to }
sim-no-games = gry:               żadnej z ziarnem { $seed }
sim-kernel = silnik:            { $kernel }
sim-kernel-and-general = silnik:            { $kernel }; general rozegrał { $games ->
    [one] { $games } długą grę
    [few] { $games } długie gry
   *[many] { $games } długich gier
}
sim-won = gracz{ $player }:            wygrywa { $share }%
sim-drawn = remisy:            { $share }%
sim-endless = bez końca:         { $share }%
sim-endless-unproven = bez końca:         przy tych zasadach nie da się tego stwierdzić
sim-undecided = nierozstrzygnięte: { $share }%
sim-periods = okresy:            średnio { $mean }, od { $min } do { $max } tur
sim-turns = tury:              średnio { $mean }, odchylenie standardowe { $sd }
sim-turns-of-finished = tury:              średnio { $mean }, odchylenie standardowe { $sd }; liczba gier, które się skończyły: { $games }
sim-quantiles = kwantyle:          5% { $p5 }, 50% { $median }, 95% { $p95 }, 99% { $p99 } tur
sim-wars = wojny:             średnio { $mean } na grę; według liczby remisów z rzędu { $depths }
sim-ties = remisy kart:       średnio { $all } na grę, w tym rozstrzyganych dalej { $played_on }
sim-pairs = pary:              średnio { $mean } na grę: tury i remisy kart rozstrzygane dalej
sim-none-finished = tury:              żadna gra się nie skończyła
sim-no-wars = wojny:             brak
sim-shortest = najkrótsza:        { $turns ->
    [one] { $turns } tura
    [few] { $turns } tury
   *[many] { $turns } tur
}, --game { $seed }:{ $game }
sim-longest = najdłuższa:        { $turns ->
    [one] { $turns } tura
    [few] { $turns } tury
   *[many] { $turns } tur
}, --game { $seed }:{ $game }
sim-progress = gry: { $played } z { $games }, na sekundę: { $rate }, jeszcze { $left }
sim-many-endless = uwaga:             przy `--collect { $collect }` wiele gier nie ma końca; w domowej wojnie kończą się wszystkie: `--rules household`
sim-partial = przerwano: { $games ->
    [0] żadna gra się nie skończyła
    [one] to wyniki tylko pierwszej gry
    [few] to wyniki tylko pierwszych { $games } gier
   *[many] to wyniki tylko pierwszych { $games } gier
}
    .hint = pliki JSON i wykresy to zaznaczają, a wiersze kończą się na ostatniej z tych gier; przerwanej części nie można scalić
sim-bad-game = `{ $value }` to niedozwolona wartość opcji `{ $option }`
    .hint = podaj ZIARNO:GRA, na przykład 1:341570
sim-bad-shard = `{ $value }` to niedozwolona wartość opcji `{ $option }`
    .hint = podaj I/N, czyli część I z N, na przykład 3/8, a w tablicy zadań Slurma auto
slurm-missing = `--shard auto` bierze część z tablicy zadań Slurma, ale zmienna `{ $variable }` nie jest ustawiona
    .hint = zleć zadania poleceniem `sbatch --array=1-N` albo podaj część: `--shard I/N`
slurm-number = `{ $value }` to niedozwolona wartość zmiennej `{ $variable }`
    .hint = Slurm ustawia tam liczbę całkowitą: nie zmieniaj jej albo podaj część: `--shard I/N`
slurm-single = `--shard auto` bierze część z tablicy zadań Slurma, ale ta ma tylko jedno zadanie: { $task }
    .hint = aby ponownie rozegrać jedną część, podaj ją: `--shard { $task }/N`; aby rozegrać całą symulację, pomiń `--shard`
slurm-uneven = `--shard auto` nie może ustalić numeru zadania { $task } w tablicy Slurma, która ma zadania od { $first } do { $last } co { $step }, razem { $tasks }
    .hint = użyj tablicy bez luk, na przykład `--array=1-100`, albo podaj część: `--shard I/N`
sim-bad-hand = `{ $value }` to niedozwolone karty dla opcji `{ $option }`
    .hint = podaj GRACZ:KARTA,KARTA,…, na przykład 1:14,14; karty mają wartości od 2 do 14 w dużej talii, od 9 do 14 w małej, od 1 do 13 w talii thirteen, a w innych od 1 do 64
sim-bad-deck = `{ $value }` nie jest poprawną talią dla opcji `{ $option }`
    .hint = dozwolone: small, large albo RxS, czyli R wartości i S kolorów, na przykład 13x4: od 2 do 255 kart, najwyżej 64 wartości
sim-combination = `--out-of-cards { $rule }` nie działa przy { $players } graczach
    .hint = użyj `--players 2` albo `--out-of-cards eoc`
sim-orders = `--collect { $collect }`: liczba kolejności to { $orders }, a liczba graczy { $players }
    .hint = podaj jedną kolejność dla wszystkich albo po jednej dla każdego gracza, oddzielone przecinkami
sim-rules-for-two = zasady `{ $rules }` nie działają przy { $players } graczach: `--out-of-cards { $rule }` jest tylko dla dwóch
    .hint = użyj `--players 2` albo dodaj `--out-of-cards eoc`
sim-too-few-cards = { $cards ->
    [one] { $cards } karty
    [few] { $cards } kart
   *[many] { $cards } kart
} nie da się rozdać { $players ->
    [one] { $players } graczowi
    [few] { $players } graczom
   *[many] { $players } graczom
}
    .hint = każdy gracz musi dostać kartę: wybierz mniej graczy albo większą talię
sim-fix-player = `--fix` wskazuje gracza { $player }, a liczba graczy to { $players }
    .hint = podaj gracza od 1 do { $players }
sim-fix-cards = talia { $deck } nie ma takich kart: `{ $value }`
    .hint = podaj wartości od { $lowest } do { $highest }, każdą najwyżej tyle razy, ile występuje w talii
sim-empty-shard = na część { $shard } z { $games ->
    [one] { $games } gry
    [few] { $games } gier
   *[many] { $games } gier
} nie przypada żadna gra
    .hint = podaj najwyżej tyle części, ile jest gier
sim-unwritable = nie można zapisać `{ $file }`: { $reason }
    .hint = sprawdź, czy katalog istnieje, czy można w nim zapisywać i czy na dysku jest miejsce
device-not-written = nie można zapisać `{ $file }`: system Windows rezerwuje tę nazwę dla urządzenia
    .hint = wybierz inną nazwę; końcówka taka jak `.txt` nie pomaga
sim-same-output = dwa wyniki trafiłyby do pliku `{ $file }`
    .hint = wskaż osobny plik dla każdego wyniku
sim-other-seed = `--seed { $seed }` i `--game { $game }` podają dwa różne ziarna
    .hint = pomiń `--seed`: ziarno jest częścią `--game`
sim-no-part = `{ $file }` nie jest częścią symulacji
    .hint = części tworzy `war simulate --seed S --shard I/N --json PLIK`; nie wolno ich zmieniać
sim-part-version = `{ $file }` to część w wersji { $version }, której ten program nie obsługuje
    .hint = użyj wersji programu, która ją zapisała
sim-part-generator = gry z `{ $file }` rozdał generator `{ $generator }`, którego ten program nie ma
    .hint = użyj wersji programu, która ją zapisała
sim-no-parts = w katalogu `{ $directory }` nie ma żadnych części
    .hint = nazwy części w katalogu kończą się na `.json`
sim-output-is-part = `{ $file }` to jedna z części, która zostałaby nadpisana
    .hint = zapisz wynik w innym pliku
sim-no-svg = wykres jest w formacie SVG, a `{ $file }` ma inne rozszerzenie
    .hint = podaj nazwę, która kończy się na `.svg`, a potem przekonwertuj wykres
sim-journal-of-none = `--journal` zapisuje pojedynczą grę, ale żadnej nie wybrano
    .hint = wybierz ją przez `--game S:I`
sim-result-of-none = `--result` dotyczy jednej gry, a żadnej nie wybrano
    .hint = wybierz ją przez `--game S:I`
sim-other-rules = `{ $other }` rozegrano według innych zasad niż `{ $file }`: różni się `{ $option }`
    .hint = scalaj tylko części rozegrane według tych samych zasad
sim-merge-seed = `{ $other }` ma inne ziarno niż `{ $file }`
    .hint = scalaj tylko części o tym samym ziarnie
sim-merge-games = `{ $other }` i `{ $file }` to części symulacji o różnej liczbie gier
    .hint = scalaj tylko części tej samej symulacji, z tą samą wartością `--games`
sim-paused = przerwano: liczba rozegranych gier to { $games } z { $all }
    .hint = aby kontynuować, uruchom jeszcze raz to samo polecenie
sim-resume-rules = symulacja w `{ $file }` ma inne zasady: różni się `{ $option }`
    .hint = podaj zasady, z którymi ją zaczęto, albo inny plik
sim-resume-seed = symulacja w `{ $file }` ma inne ziarno: { $seed }
    .hint = pomiń `--seed` albo podaj inny plik
sim-resume-games = symulacja w `{ $file }` obejmuje inne gry: od { $from } do { $to } z { $of }
    .hint = podaj `--games` i `--shard`, z którymi ją zaczęto, albo inny plik
sim-rows-need-file = `{ $file }` nie przechowa wierszy symulacji, którą można przerwać
    .hint = podaj plik w `--csv-games` albo pomiń `--resume { $state }`
sim-rows-missing = w `{ $file }` brakuje wierszy niektórych rozegranych gier
    .hint = podaj `--csv-games`, z którym zaczęto symulację, albo zacznij od nowa: usuń `{ $state }`
sim-rows-other-columns = `{ $file }` ma inne kolumny
    .hint = podaj `--columns`, z którymi zaczęto symulację
sim-rows-in-use = `{ $file }` jest w użyciu: symulacja trwa w innym procesie
    .hint = poczekaj, aż się skończy
sim-overlap = `{ $file }` i `{ $other }` nakładają się: obie zawierają grę { $game }
    .hint = podaj każdą część tylko raz
sim-missing = w częściach brakuje gier od { $from } do { $to }
    .hint = podaj wszystkie części symulacji; przerwaną rozgrywa do końca `--resume PLIK`

## Enumeration: all deals of a deck.

enum-chance = nie da się wyliczyć wszystkich gier, gdy zasady zależą od losu: `--collect { $collect }`, `--out-of-cards { $rule }`{ $piles }
    .hint = gry według takich zasad rozgrywa `war simulate`
enum-too-many = liczba rozdań to { $deals }, a rozegrać można najwyżej { $most }
    .hint = wybierz mniejszą talię albo rozegraj część rozdań poleceniem `war simulate`
enum-rules = zasady:   gracze: 2, talia { $deck }, zakrytych: { $face_down }, zbieranie: { $collect }, brak kart: { $rule }{ $rest }
    rozdania: { $deals }
enum-seats = {"          "}oba rozdania z każdej pary różniącej się tylko zamianą graczy: w tych zasadach miejsca mają znaczenie
enum-unequal = {"          "}liczba kart: gracz1 { $first }, gracz2 { $second }
enum-one-of-two = {"          "}po jednym z każdej pary rozdań różniących się tylko zamianą graczy: każdy gracz wygrywa jedno z nich
enum-single = silnik:   każde rozdanie osobno
enum-merged = silnik:   { $kernel }; rozdania, które po pierwszym przejściu obu rąk są tą samą grą, rozgrywane są raz
enum-shard = zakres:   części od { $from } do { $to } z { $of }
enum-few-periods = okresy:   { $periods }
enum-period = { $period ->
    [one] { $period } tura
    [few] { $period } tury
   *[many] { $period } tur
} ({ $deals ->
    [one] { $deals } rozdanie
    [few] { $deals } rozdania
   *[many] { $deals } rozdań
})
enum-most-turns = rekord:   { $turns ->
    [one] { $turns } tura
    [few] { $turns } tury
   *[many] { $turns } tur
}, { $pairs ->
    [one] { $pairs } para
    [few] { $pairs } pary
   *[many] { $pairs } par
}: gracz1 { $first }; gracz2 { $second }
enum-most-pairs = {"          "}{ $turns ->
    [one] { $turns } tura
    [few] { $turns } tury
   *[many] { $turns } tur
}, { $pairs ->
    [one] { $pairs } para
    [few] { $pairs } pary
   *[many] { $pairs } par
}: gracz1 { $first }; gracz2 { $second }
enum-paused = przerwano: rozegrano { $deals } z { $all } rozdań
    .hint = aby kontynuować, uruchom jeszcze raz to samo polecenie
enum-forecast = zajęłoby to około { $time } na { $jobs ->
    [one] { $jobs } rdzeniu
    [few] { $jobs } rdzeniach
   *[many] { $jobs } rdzeniach
}
    .hint = aby mimo to zacząć, dodaj `--yes`; z `--resume PLIK` można przerwać i kontynuować, a `--shard` rozgrywa część
enum-hours = { $hours } godz.
enum-days = { $days ->
    [one] { $days } dnia
    [few] { $days } dni
   *[many] { $days } dni
}
enum-years = { $years ->
    [one] { $years } roku
    [few] { $years } lat
   *[many] { $years } lat
}
enum-empty-shard = część { $shard } jest pusta, bo wszystkich jest { $parts }
    .hint = podziel najwyżej na tyle części, ile ich jest
enum-no-part = `{ $file }` nie jest częścią wyliczenia albo po zapisaniu plik zmieniono
    .hint = użyj niezmienionego pliku, który zapisało `war enumerate` z `--json` lub `--resume`
enum-resume-rules = wyliczenie w `{ $file }` ma inne zasady: różni się `{ $option }`
    .hint = podaj zasady, z którymi je zaczęto, albo inny plik
enum-resume-parts = wyliczenie w `{ $file }` obejmuje inne części: od { $from } do { $to } z { $of }
    .hint = podaj `--shard`, z którym je zaczęto, albo inny plik
enum-merge-parts = `{ $other }` i `{ $file }` to części różnych wyliczeń
    .hint = scalaj tylko części tego samego wyliczenia, zapisane przez tę samą wersję programu
enum-merge-partial = wyliczenie zapisane w `{ $file }` przerwano
    .hint = rozegraj resztę tym samym poleceniem, podając ten plik po `--resume`
enum-overlap = `{ $file }` i `{ $other }` nakładają się: obie zawierają część { $part }
    .hint = podaj każdą część tylko raz
enum-missing = brakuje części od { $from } do { $to }
    .hint = podaj wszystkie części wyliczenia
enum-played = rozegrane: { $deals }
enum-partial = przerwano: wyniki { $deals } z { $all } rozdań
    .hint = te rozdania nie są próbą losową; taką rozgrywa `war simulate`
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

plot-title = Wojna: gracze: { $players }, { $deal }, zakrytych: { $face_down }, { $collect }, { $rule }{ $rest }
plot-games = { $games ->
    [one] { $games } gra
    [few] { $games } gry
   *[many] { $games } gier
} z ziarnem { $seed }
plot-partial = przerwano: pierwsze { $games } z { $all } gier z ziarnem { $seed }
plot-none-finished = żadna gra się nie skończyła
plot-turns = liczba tur w ukończonych grach, szerokość słupka: { $width }
plot-turns-but-longest = liczba tur w ukończonych grach, szerokość słupka: { $width }; bez 1% najdłuższych
plot-share-of-games = udział w ukończonych grach (%)
plot-mean = średnia { $value }
plot-median = mediana { $value }
plot-p5 = kwantyl 5%: { $value }
plot-p95 = kwantyl 95%: { $value }
plot-winner = zwycięzca albo wynik gry
plot-drawn = remis
plot-endless = bez końca
plot-undecided = nierozstrz.
plot-outcomes = udział we wszystkich grach (%)

## What others have published.

lit-row = { $source }
    {"  "}{ $command }
lit-counted = { $source }
    {"  "}wszystkie rozdania, policzone bez rozgrywania
lit-figure = {"    "}{ $figure }: opublikowano { $published }, u nas { $ours }: { $verdict }
lit-figure-of-ours = {"    "}{ $figure }: odniesienie { $published }, teraz { $ours }: { $verdict }
lit-agrees = zgodne
lit-differs = NIEZGODNE
lit-mean-turns = średnia liczba tur
lit-deviation = odchylenie standardowe liczby tur
lit-median = mediana liczby tur
lit-mean-rounds = średnia liczba kart wyłożonych przez każdego gracza
lit-rounds-deviation = odchylenie standardowe liczby kart wyłożonych przez każdego gracza
lit-median-rounds = mediana liczby kart wyłożonych przez każdego gracza
lit-quantile = kwantyl { $value }% liczby tur
lit-longest = najwięcej tur
lit-mean-wars = wojny na grę
lit-mean-ties = wojny na grę, licząc wojny wewnątrz wojen
lit-mean-played-on = wojny na grę, licząc wojny wewnątrz wojen, w których co najmniej dwóch graczy mogło grać dalej
lit-finished = gry ukończone (%)
lit-mean-turns-per-square = średnia liczba tur podzielona przez { $cards }²
lit-first-wins = wygrywa gracz1 (%)
lit-endless = gry bez końca (%)
lit-cycles = gry bez końca
lit-period = okres gier bez końca
lit-mean-pairs = średnia liczba par
lit-most-pairs = najwięcej par
lit-deals = rozdania
lit-sweeps = rozdania na 10¹², w których gracz1 zabiera od razu każdą wyłożoną kartę, bez wojny
lit-summary = zgodne wyniki: { $agreeing } z { $all }
lit-interrupted = przerwano: wiersze powyżej są kompletne
    .hint = pozostałych nie rozegrano
