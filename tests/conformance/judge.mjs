// Compares what the suite found with what is expected: judge.mjs EXPECTED RESULTS
//
// EXPECTED has lines `ERA pass|fail SCENARIO[:CHECK] REASON`. RESULTS holds `scenarios.txt`, the suite's list, and a folder
// per era with a folder per scenario. A scenario passes when a check of it succeeded and none failed; the suite's
// warnings count as failures, and its check of each message against the schema is no check of the scenario. A line with
// CHECK lets that one check fail, in a scenario that passes otherwise.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [expectedFile, results] = process.argv.slice(2);
const ERAS = ['2025-11-25', '2026-07-28', 'extension'];

const lines = (path) => readFileSync(path, 'utf8').split('\n');
const failing = (check) => check.status === 'FAILURE' || check.status === 'WARNING';
const succeeding = (check) => check.status === 'SUCCESS' && !check.id.startsWith('wire-schema-');

/** Per era, a map from scenario to `{ verdict, checks }`: the checks that may fail. */
function readExpected() {
  const eras = new Map(ERAS.map((era) => [era, new Map()]));
  for (const [index, line] of lines(expectedFile).entries()) {
    if (!line.trim() || line.startsWith('#')) continue;
    const [era, verdict, entry, ...reason] = line.trim().split(/\s+/);
    const [scenario, check] = (entry ?? '').split(':');
    const known = eras.get(era)?.get(scenario);
    const sound = eras.has(era) && scenario && (verdict === 'pass' || (verdict === 'fail' && reason.length > 0));
    // A scenario is named once, and before its checks.
    const placed = check === undefined ? !known : known?.verdict === 'pass' && verdict === 'fail';
    if (!sound || !placed) {
      console.error(`${expectedFile}:${index + 1}: not a line that makes sense here: ${line}`);
      process.exit(2);
    }
    if (check === undefined) {
      eras.get(era).set(scenario, { verdict, checks: new Set() });
    } else {
      known.checks.add(check);
    }
  }
  return eras;
}

/** Which scenarios the suite has for an era. */
function offered(era) {
  const scenarios = lines(join(results, 'scenarios.txt')).map((line) => /^ {2}- (\S+) \[(.*)\]$/.exec(line)).filter(Boolean);
  return scenarios.filter(([, , eras]) => eras.split(',').includes(era)).map(([, name]) => name);
}

/** The checks of each scenario that ran, by name. */
function ran(era) {
  const found = new Map();
  for (const folder of readdirSync(join(results, era))) {
    const name = /^server-(.*)-\d{4}-\d\d-\d\dT[-\d]+Z$/.exec(folder)?.[1];
    const path = join(results, era, folder, 'checks.json');
    if (name && existsSync(path)) found.set(name, JSON.parse(readFileSync(path, 'utf8')));
  }
  return found;
}

/** What is wrong with how a scenario ended, or nothing. */
function wrong(expected, checks) {
  if (!checks) return 'did not run';
  if (!expected) return 'expected.txt does not name it';
  const allowed = expected.checks;
  const failures = checks.filter(failing);
  const [unexpected] = failures.filter((check) => !allowed.has(check.id));
  const passed = !unexpected && checks.some(succeeding);
  if (expected.verdict === 'fail') return passed ? 'passes, but expected.txt says that it fails' : undefined;
  const stale = [...allowed].filter((id) => !failures.some((check) => check.id === id));
  if (stale.length > 0) return `${stale} does not fail, but expected.txt says that it does`;
  if (unexpected) {
    const why = unexpected.errorMessage ?? unexpected.description;
    return `${unexpected.id}: ${why.replaceAll(/\s+/g, ' ').slice(0, 300)}`;
  }
  return passed ? undefined : 'checked nothing';
}

const expected = readExpected();
let good = 0;
let bad = 0;
const report = (era, scenario, problem, verdict) => {
  if (problem) {
    bad += 1;
    console.log(`FAIL ${era} ${scenario}: ${problem}`);
  } else {
    good += 1;
    console.log(`ok   ${era} ${scenario}${verdict === 'fail' ? ': fails, as expected' : ''}`);
  }
};
for (const era of ERAS) {
  const scenarios = offered(era);
  const found = ran(era);
  for (const scenario of scenarios) {
    const known = expected.get(era).get(scenario);
    report(era, scenario, wrong(known, found.get(scenario)), known?.verdict);
  }
  for (const scenario of expected.get(era).keys()) {
    if (!scenarios.includes(scenario)) report(era, scenario, 'the suite does not have it');
  }
}
console.log(`${good} as expected, ${bad} not`);
process.exitCode = bad === 0 && good > 0 ? 0 : 1;
