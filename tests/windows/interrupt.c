/* Runs a program, sends Ctrl-C to its console after a time, and exits with the program's code:
 * `interrupt MILLISECONDS COMMAND LINE`. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static BOOL WINAPI survive(DWORD event)
{
    (void)event;
    return TRUE;
}

static int fail(const char *what)
{
    fprintf(stderr, "interrupt: %s: error %lu\n", what, GetLastError());
    return 99;
}

int main(int count, char **arguments)
{
    STARTUPINFOW start = {.cb = sizeof start};
    PROCESS_INFORMATION program;
    WCHAR *line = GetCommandLineW();
    DWORD code;

    if (count < 3)
        return fail("usage");
    /* The command line after this program's own name and its argument, with all quotes. */
    for (int skipped = 0; skipped < 2; skipped++) {
        BOOL quoted = FALSE;
        for (; *line && (quoted || *line != L' '); line++)
            quoted ^= *line == L'"';
        while (*line == L' ')
            line++;
    }
    SetConsoleCtrlHandler(survive, TRUE);
    if (!CreateProcessW(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &program))
        return fail("CreateProcess");
    Sleep((DWORD)atoi(arguments[1]));
    if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) {
        TerminateProcess(program.hProcess, 99);
        return fail("GenerateConsoleCtrlEvent");
    }
    WaitForSingleObject(program.hProcess, INFINITE);
    GetExitCodeProcess(program.hProcess, &code);
    return (int)code;
}
