# pipeline.sh - what a template of docs/pipelines/ runs; a test and a demonstration source it
# shellcheck shell=bash disable=SC2154 # tmp is the script's

# commands_of FILE: the commands of its job, as the shell gets them
commands_of() {
    python3 - "$1" <<'END'
import sys, yaml
document = yaml.safe_load(open(sys.argv[1]))
job = document.get("jobs", document)["regress"]
print("set -e")
print("\n".join([step["run"] for step in job["steps"] if "run" in step] if "steps" in job else job["script"]))
END
}

# run_pipeline FILE EVENT BEFORE OPTIONS: these commands in a shell of their own, as a runner starts them where a push or a
# schedule is the EVENT and BEFORE was the newest commit before it
run_pipeline() {
    commands_of "$1" >"$tmp/commands.sh"
    GITHUB_EVENT_NAME=$2 BEFORE=$3 CI_PIPELINE_SOURCE=$2 CI_COMMIT_BEFORE_SHA=$3 OPTIONS=$4 GITHUB_STEP_SUMMARY=$tmp/summary.md \
        bash "$tmp/commands.sh"
}
