/* fuzz_ini.c - any bytes are facts in order of their lines, or one sentence with the file */
#include "harness/base/ini.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ini_file ini;
    int line = 0;

    bench_failure_clear();
    if (ini_parse_text((const char *)data, size, "a.ini", &ini) != BENCH_OK) {
        must(strncmp(bench_failure(), "a.ini:", 6) == 0 && ini.fact == NULL &&
             ini.n_facts == 0);
        return 0;
    }
    for (int i = 0; i < ini.n_facts; i++) {
        const struct ini_fact *fact = &ini.fact[i];

        must(fact->line > line);
        line = fact->line;
        must(fact->key[0] != '\0' && strlen(fact->section) <= 48 &&
             strlen(fact->value) <= 65535);
        must(ini_find(&ini, fact->section, fact->key) == fact); /* no key twice */
    }
    ini_free(&ini);
    return 0;
}
