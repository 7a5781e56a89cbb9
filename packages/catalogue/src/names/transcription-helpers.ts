/**
 * Models that transcribe what is said in a realtime session. Their list prices per token of sound and text are
 * below those of every realtime model, so the price of the session covers them where they have none of their own.
 * https://platform.openai.com/docs/guides/realtime-transcription and https://platform.openai.com/docs/pricing,
 * 2026-11-29.
 */
const HELPERS = /^(?:whisper-1|gpt-4o(?:-mini)?-transcribe)(?:-latest|-\d{4}-\d\d-\d\d)?$/

export function isTranscriptionHelper(model: string): boolean {
  return HELPERS.test(model)
}
