// The rooms of three packages from the top down: a room may import those behind it. A room is a folder at the head of
// the package, or a loose file there. One that is not named stands where it causes the fewest arrows up.

export const ROOM_ORDERS = {
  'apps/server/src/relay': readWords(`
    routing-insight.ts explain.ts create-relay.ts responses-socket relay.ts realtime answer-request.ts
    probe models.ts caller-dialect.ts tasks app.ts metrics affinity tracing.ts own-account count-
    tokens.ts traffic.ts transcript relay-route.ts billing-figures.ts access-tokens.ts threads in-
    flight.ts sessions stations call-ledger.ts outcome.ts lessons model-page.ts log.ts watch.ts
    operations limits.ts query-of.ts response-not-found.ts call.ts
  `),
  'packages/dialects/src': readWords(`
    uncounted-input ask.ts unset-zeros.ts checked realtime system-prompt.ts ask-edit.ts droppable-
    body.ts json-slices.ts pair conversations.ts anthropic vectors gemini media json-limits.ts openai
    responses openai-usage.ts service-tier.ts traits canonical cost stream tokens byte-pattern.ts json-
    splice.ts requested-tools.ts errors json.ts dialect.ts usage.ts json-scan.ts bytes-at.ts
  `),
  'packages/ledger/src': readWords(`
    open-ledger.ts memory copy-totals.ts audit-database.ts sqlite server reads.ts create-ledger.ts
    orphaned-journals.ts local writer.ts pending-operation.ts regularly.ts waiting-admissions.ts writer-
    options.ts away-journal.ts counters.ts process-identity.ts journal-progress.ts journal-positions.ts
    journal rows journal-line.ts core live-instances.ts ledger.ts results.ts inputs.ts audit-report.ts
    recalls.ts account.ts settle-flag.ts
  `),
}

function readWords(text) {
  return text.trim().split(/\s+/)
}
