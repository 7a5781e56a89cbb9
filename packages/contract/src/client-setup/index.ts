import { cherryStudio, cline, cursor } from './apps.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { curl } from './curl.ts'
import { geminiCli } from './gemini-cli.ts'
import { anthropicSdk, googleSdk, langchain, openaiSdk } from './libraries.ts'
import { opencode } from './opencode.ts'
import { qwenCode } from './qwen-code.ts'
import type { ClientSetup, SetupBlock, SetupValues, SetupVariant } from './setup.ts'

/** Every client that the Connect page offers, in its order. A new client is one constant and one line here. */
export const clientSetups: readonly ClientSetup[] = [
  claudeCode,
  codex,
  geminiCli,
  opencode,
  qwenCode,
  cursor,
  cline,
  cherryStudio,
  openaiSdk,
  anthropicSdk,
  googleSdk,
  langchain,
  curl,
]

/** The client of that id, or the first one. */
export function setupOf(id: string): ClientSetup {
  return clientSetups.find((setup) => setup.id === id) ?? claudeCode
}

/** The variant of that id, or the one that most people want. */
export function variantOf({ label, variants }: ClientSetup, id: string): SetupVariant {
  const found = variants.find((variant) => variant.id === id) ?? variants[0]
  if (found === undefined) throw new Error(`${label} has no variant`)
  return found
}

/** What the block of a client needs to be written, by name. */
export function blocksOf(clientId: string, variantId: string, values: SetupValues): readonly SetupBlock[] {
  return variantOf(setupOf(clientId), variantId).blocks(values)
}
