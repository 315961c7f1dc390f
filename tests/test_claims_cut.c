/* test_claims_cut.c - claims judged on a card that was cut to the size of the paper's, and that its rows are used nowhere else */
#include "tests/claims_made.h"

#define A "20260101T000000Z-0000001"
#define B "20260102T000000Z-0000002"
#define C "20260103T000000Z-0000003"
#define D "20260104T000000Z-0000004"
#define HEAD                                                                               \
    "session,row_id,utc,commit,dirty,profile,cpu,gpu,sm_count,gpu_mhz_med,sms,experiment," \
    "impl,"                                                                                \
    "device,mode_name,lap,status,verdict,scope,n,mean_ms,ci_lo_ms,ci_hi_ms,fps,size,eps\n"
/* a card of 132 multiprocessors at 2000 MHz; the interval is 1 % either way */
#define ROW(session, id, sms, experiment, size, ms, low, high, fps)                          \
    session "," id "," session ",c" session ",0,paper,a core,a card,132,2000," sms           \
            "," experiment ",x/gpu,gpu,any,,ok,exact,kernel,30," ms "," low "," high "," fps \
            "," size ",4\n"

static int begin(void **unused)
{
    (void)unused;
    snprintf(base, sizeof base, "%s/claims_cut", support_place());
    snprintf(paper, sizeof paper, "%s/paper", base);
    snprintf(folder, sizeof folder, "%s/results/made-up", base);
    support_remove(base);
    write_file(paper, "x.csv",
               "paper,figure,impl,mode_name,name,value,printed,unit,read,where\n"
               "x,t,a,HIGH,ms,10.0,10.0,ms,table,first\n"
               "x,t,a,LOW,ms,20.0,20.0,ms,table,second\n");
    /* whole: as old rows have it, and as new ones; cut: of the same experiment, too, and newer */
    write_file(folder, A ".csv",
               HEAD ROW(A, "r1", "", "x/t", "1", "1", "0.99", "1.01", "1000")
                   ROW(A, "r2", "132", "x/t", "2", "1.5", "1.49", "1.51", "667")
                       ROW(A, "r3", "", "x/t", "4", "9", "8.9", "9.1", "111"));
    write_file(folder, B ".csv",
               HEAD ROW(B, "r1", "8", "x/cut", "1", "5", "4.95", "5.05", "200")
                   ROW(B, "r2", "8", "x/cut", "2", "20", "19.8", "20.2", "50")
                       ROW(B, "r3", "16", "x/cut", "1", "2.5", "2.45", "2.55", "400")
                           ROW(B, "r4", "8", "x/t", "1", "5", "4.95", "5.05", "200")
                               ROW(B, "r5", "132", "x/cut", "4", "1.1", "1.09", "1.11", "909"));
    assert_int_equal(claim_machine_read(folder, NULL, &machine), BENCH_OK);
    return 0;
}

static struct claim_judgement here(const char *text)
{
    parse(text);
    return judge(0, &machine);
}

static void verdict_here(const char *text, enum claim_verdict wanted, const char *reason)
{
    verdict_is(text, &machine, wanted, reason);
}

#define MS(size) "ours(x/t, impl=x/gpu, size=" size ", mean_ms)"
#define VALUE(printed) \
    "[r]\nwhere=a\nkind=value\nunit=ms\ntol=10%\nbecause=b\nprinted=" printed "\n"
#define RATIO(printed) \
    "[r]\nwhere=a\nkind=ratio\nunit=x\ntol=10%\nbecause=b\nprinted=" printed "\n"
#define BOARD "hardware=*board*\nscaled=8 SMs, 1000 MHz\n"

/* ---- scaled ---- */

static void a_time_is_brought_to_the_boards_clock(void **unused)
{
    (void)unused;
    /* 5 ms at 2000 MHz are 10 at 1000 */
    verdict_here(VALUE("10.0") BOARD "measured=" MS("1") "\n", CLAIM_SCALED_AGREES,
                 "10 on 8 of 132 SMs of a card as at 1000 MHz, printed 10: within 25%");
    verdict_here(VALUE("8.2") BOARD "measured=" MS("1") "\n", CLAIM_SCALED_AGREES,
                 "within 25%");
    verdict_here(VALUE("7.5") BOARD "measured=" MS("1") "\n", CLAIM_SCALED_DIFFERS,
                 "higher, not within 25%");
    verdict_here(VALUE("14.0") BOARD "measured=" MS("1") "\n", CLAIM_SCALED_DIFFERS,
                 "lower, not within 25%");
    verdict_here(VALUE("8.0") BOARD "measured=" MS("1") "\n", CLAIM_NOT_RUN,
                 "undecided, the noise spans the edge of 25%");
    assert_true(here(VALUE("10.0") BOARD "measured=" MS("1") "\n").scaled);
    /* the whole card is named, and not taken */
    verdict_here(VALUE("10.0") BOARD "measured=" MS("1") "\n", CLAIM_SCALED_AGREES,
                 "; the whole card: 1");
}

static void a_rate_is_brought_to_it_inversely(void **unused)
{
    (void)unused;
    verdict_here("[r]\nwhere=a\nkind=value\nunit=fps\nprinted=100\n" BOARD
                 "measured=ours(x/t, impl=x/gpu, size=1, fps)\n",
                 CLAIM_SCALED_AGREES, "100 on 8 of 132 SMs");
    verdict_here("[r]\nwhere=a\nkind=value\nunit=fps\nprinted=100\n" BOARD
                 "measured=1000 / " MS("1") "\n",
                 CLAIM_SCALED_AGREES, "100 on 8 of 132 SMs");
    verdict_here("[r]\nwhere=a\nkind=bound\nunit=ms\nprinted=8\n" BOARD
                 "measured=" MS("1") " < $printed\n",
                 CLAIM_SCALED_DIFFERS,
                 "it does not hold on 8 of 132 SMs"); /* 5 at its own clock */
    verdict_here("[r]\nwhere=a\nkind=bound\nunit=ms\nprinted=12\n" BOARD
                 "measured=" MS("1") " < $printed\n",
                 CLAIM_SCALED_AGREES, "it holds on 8 of 132 SMs");
}

static void a_ratio_stays_as_it_is(void **unused)
{
    (void)unused;
    verdict_here(RATIO("4.0") BOARD "measured=" MS("2") "/" MS("1") "\n", CLAIM_SCALED_AGREES,
                 "4 on 8 of 132 SMs of a card, printed 4: within 25%; the whole card: 1.5");
    verdict_here(RATIO("6.0") BOARD "measured=" MS("2") "/" MS("1") "\n", CLAIM_SCALED_DIFFERS,
                 "lower, not within 25%, but within a factor of 2; the whole card: 1.5");
    verdict_here("[r]\nwhere=a\nkind=order\n" BOARD "measured=3 < " MS("2") " / " MS("1") "\n",
                 CLAIM_SCALED_AGREES,
                 "it holds on 8 of 132 SMs of a card; the whole card: it does not");
}

static void another_number_may_stand_for_the_boards(void **unused)
{
    (void)unused;
    verdict_here(
        VALUE("5.0") "hardware=*board*\nscaled=15 SMs as 16, 1000 MHz\nmeasured=" MS("1") "\n",
        CLAIM_SCALED_AGREES, "5 on 16 of 132 SMs of a card as at 1000 MHz");
}

static void the_clock_stands_for_the_power_mode(void **unused)
{
    (void)unused;
    verdict_here(VALUE("10.0") BOARD
                 "measured=ours(x/t, impl=x/gpu, size=1, mode_name=HIGH, mean_ms)\n",
                 CLAIM_SCALED_AGREES, "");
    parse("[t]\neach=x/t, name=ms\nid=t[{mode_name}]\nkind=value\nhardware=*board*\n"
          "scaled=8 SMs, {mode_name: HIGH=1000, LOW=500} MHz\n"
          "measured=ours(x/t, impl=x/gpu, size=1, mode_name={mode_name}, mean_ms)\n");
    assert_int_equal(judge(0, &machine).verdict, CLAIM_SCALED_AGREES);
    assert_int_equal(judge(1, &machine).verdict, CLAIM_SCALED_AGREES);
    assert_true(judge(1, &machine).value > 19.9 && judge(1, &machine).value < 20.1);
}

static void without_its_rows_a_claim_is_as_before(void **unused)
{
    (void)unused;
    verdict_here(
        VALUE("10.0") "hardware=*board*\nscaled=24 SMs, 1000 MHz\nmeasured=" MS("1") "\n",
        CLAIM_NOT_RUN, "1 ms on a card, printed 10: no verdict on an absolute value");
    verdict_here(VALUE("10.0") BOARD "measured=" MS("1") " + " MS("3") "\n", CLAIM_NOT_RUN,
                 "size=3");
    verdict_here(RATIO("1.5") "hardware=*board*\nscaled=24 SMs, 1000 MHz\nmeasured=" MS(
                     "2") "/" MS("1") "\n",
                 CLAIM_SHAPE_ONLY, "1.5 on a card");
    assert_false(here(RATIO("1.5") "hardware=*board*\nscaled=24 SMs, 1000 MHz\nmeasured=" MS(
                          "2") "/" MS("1") "\n")
                     .scaled);
}

static void real_hardware_is_never_scaled(void **unused)
{
    (void)unused;
#define REAL "hardware=*card*\nscaled=8 SMs, 1000 MHz\n"
    verdict_here(VALUE("1.00") REAL "measured=" MS("1") "\n", CLAIM_REPRODUCED, "1 on a card");
    verdict_here(VALUE("10.0") REAL "measured=" MS("1") "\n", CLAIM_CONTRADICTED,
                 "1 on a card");
    assert_false(here(VALUE("10.0") REAL "measured=" MS("1") "\n").scaled);
    /* nor is a part of it, where it has no row of the whole */
    verdict_here(VALUE("10.0") REAL "measured=ours(x/none, impl=x/gpu, size=1, mean_ms)\n",
                 CLAIM_NOT_RUN, "no row of x/none here");
}

/* ---- rows of a part are of another cell ---- */

static void cut_rows_never_stand_for_the_whole_card(void **unused)
{
    (void)unused;
    /* B r4 is of the same experiment and newer, and of 8 multiprocessors */
    verdict_here(VALUE("1.00") "measured=" MS("1") "\n", CLAIM_REPRODUCED, "1 on a card");
    verdict_here(VALUE("1.00") "measured=ours(x/t, impl=x/gpu, size=1, sms=all, mean_ms)\n",
                 CLAIM_REPRODUCED, "1 on a card");
    /* an old row, which says nothing, and a new one of all are of one cell: the newer counts, whatever it was taken for */
    verdict_here(VALUE("1.10") "measured=" MS("4") "\n", CLAIM_REPRODUCED, "1.1 on a card");
    verdict_here(VALUE("1.10") "measured=ours(x/*, impl=x/gpu, size=4, mean_ms)\n",
                 CLAIM_REPRODUCED, "1.1 on a card");
    verdict_here(VALUE("1.10") "measured=ours(x/*, impl=x/gpu, size=4, sms=132, mean_ms)\n",
                 CLAIM_REPRODUCED, "1.1 on a card");
    /* nor a mean with them */
    verdict_here(
        "[r]\nwhere=a\nkind=bound\nmeasured=ours(x/*, impl=x/gpu, size=*, mean_ms) < 2\n",
        CLAIM_REPRODUCED, "");
    assert_true(judge(0, &machine).has_value);
}

static void the_whole_card_never_stands_for_a_part(void **unused)
{
    (void)unused;
    verdict_here(VALUE("5.00") "measured=ours(x/t, impl=x/gpu, size=1, sms=8, mean_ms)\n",
                 CLAIM_REPRODUCED, "5 on a card");
    verdict_here(VALUE("1.50") "measured=ours(x/t, impl=x/gpu, size=2, sms=8, mean_ms)\n",
                 CLAIM_NOT_RUN, "no row of x/t");
    verdict_here(VALUE("1.00") "measured=ours(x/t, impl=x/gpu, size=1, sms=16, mean_ms)\n",
                 CLAIM_NOT_RUN, "no row of x/t");
}

/* ---- rows of one session ---- */

static void rows_that_belong_together_are_of_one_session(void **unused)
{
    (void)unused;
    claim_machine_free(&machine);
    /* the newest of each cell are of two sessions; the older one has both */
    write_file(folder, C ".csv",
               HEAD ROW(C, "r1", "132", "x/t", "1", "3", "2.9", "3.1", "333"));
    assert_int_equal(claim_machine_read(folder, NULL, &machine), BENCH_OK);
    verdict_here("[r]\nwhere=a\nkind=order\nmeasured=" MS("1") " < " MS("2") "\n",
                 CLAIM_CONTRADICTED, "rows of several commits");
    verdict_here("[r]\nwhere=a\nkind=order\nsession=one\nmeasured=" MS("1") " < " MS("2") "\n",
                 CLAIM_REPRODUCED, "it holds on a card");
    assert_null(strstr(judge(0, &machine).reason, "commits"));
    verdict_here("[r]\nwhere=a\nkind=order\nsession=one\nmeasured=" MS(
                     "2") " < ours(x/cut, impl=x/gpu, size=1, sms=8, mean_ms)\n",
                 CLAIM_NOT_RUN, "no session has all of its rows");

    /* a newer one has both, of one run each: its noise is not known */
    claim_machine_free(&machine);
    write_file(folder, D ".csv",
               HEAD D ",r1," D
                      ",c,0,paper,a core,a card,132,2000,132,x/t,x/gpu,gpu,any,,ok,exact,"
                      "kernel,1,4,4,4,250,1,4\n" D ",r2," D
                      ",c,0,paper,a core,a card,132,2000,132,x/t,x/gpu,gpu,any,,ok,exact,"
                      "kernel,1,2,2,2,500,2,4\n");
    assert_int_equal(claim_machine_read(folder, NULL, &machine), BENCH_OK);
    verdict_here("[r]\nwhere=a\nkind=order\nsession=one\nmeasured=" MS("1") " < " MS("2") "\n",
                 CLAIM_REPRODUCED, "it holds on a card");
}

/* ---- reports ---- */

static void an_explanation_says_what_does_not_scale(void **unused)
{
    char path[700];
    struct text page = {0}, csv = {0};
    FILE *out;

    (void)unused;
    snprintf(path, sizeof path, "%s/page", base);
    parse(VALUE("10.0") BOARD "measured=" MS(
        "1") "\n[q]\nwhere=b\nkind=ratio\nunit=x\nprinted=9\n" BOARD
             "measured=" MS("2") "/" MS("1") "\n[p]\nwhere=c\nkind=order\nmeasured=" MS(
                 "1") " < 2\n");
    assert_non_null(out = fopen(path, "wb"));
    assert_int_equal(claims_report(&claims, &machine, 1, out, &csv), BENCH_OK);
    assert_int_equal(claims_explain(&claims, "r", &machine, 1, out), BENCH_OK);
    fclose(out);
    assert_int_equal(text_read_file(path, &page), BENCH_OK);
    assert_non_null(strstr(page.data, "-> 1 REPRODUCED, 1 SCALED-AGREES, 1 SCALED-DIFFERS\n"));
    assert_non_null(strstr(page.data, "scaled to 8 SMs, 1000 MHz"));
    assert_non_null(strstr(page.data, "what does not scale"));
    assert_non_null(strstr(page.data, "260 GB/s"));
    assert_non_null(strstr(page.data, "5 at 2000 MHz"));
    assert_non_null(strstr(page.data, A));
    assert_non_null(strstr(page.data, B));
    assert_non_null(strstr(csv.data, "\"SCALED-AGREES\""));
    assert_non_null(strstr(
        csv.data,
        ",\"25\",\"b\",\"kernel\",\"*board*\",\"8 of 132 SMs of a card as at 1000 MHz\""));
    text_free(&page);
    text_free(&csv);
}

static void wrong_keys_are_refused(void **unused)
{
    (void)unused;
    file_refused(VALUE("1") "hardware=b\nscaled=8\nmeasured=" MS("1") "\n",
                 "expected 'scaled' as");
    file_refused(VALUE("1") "hardware=b\nscaled=8 SMs, 1377 MHz or so\nmeasured=" MS("1") "\n",
                 "expected 'scaled' as");
    file_refused(VALUE("1") "hardware=b\nscaled=0 SMs, 1377 MHz\nmeasured=" MS("1") "\n",
                 "expected 'scaled' as");
    file_refused(VALUE("1") "scaled=8 SMs, 1377 MHz\nmeasured=" MS("1") "\n",
                 "is scaled and has no 'hardware'");
    file_refused(VALUE("1") BOARD "missing=why\n", "has 'scaled' and no 'measured'");
    file_refused(VALUE("1") BOARD "measured=ours(x/t, impl=x/gpu, sm_count)\n",
                 "expected times alone in a scaled claim");
    file_refused(VALUE("1") BOARD "measured=counters(x/t, impl=x/gpu, ipc)\n",
                 "expected times alone in a scaled claim");
    file_refused("[r]\nwhere=a\nkind=order\nsession=day\nmeasured=" MS("1") " < 1\n",
                 "expected 'one' for session, found 'day'");
    file_refused("[r]\nwhere=a\nkind=order\nsession=one\npaper=1<2\n",
                 "has 'session' and no 'measured'");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_time_is_brought_to_the_boards_clock),
        TEST(a_rate_is_brought_to_it_inversely),
        TEST(a_ratio_stays_as_it_is),
        TEST(another_number_may_stand_for_the_boards),
        TEST(the_clock_stands_for_the_power_mode),
        TEST(without_its_rows_a_claim_is_as_before),
        TEST(real_hardware_is_never_scaled),
        TEST(cut_rows_never_stand_for_the_whole_card),
        TEST(the_whole_card_never_stands_for_a_part),
        TEST(rows_that_belong_together_are_of_one_session),
        TEST(an_explanation_says_what_does_not_scale),
        TEST(wrong_keys_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
