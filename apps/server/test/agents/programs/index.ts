import type { AgentProgram } from './agent-program.ts'
import { claudeCode, claudeCodeByOtherName } from './claude-code.ts'
import { cline } from './cline.ts'
import { codex, codexByNewestName, codexByNewName, codexOverWebSocket, codexWithSearch } from './codex.ts'
import { geminiCli } from './gemini-cli.ts'
import { opencodes } from './opencode.ts'
import { qwenCode } from './qwen-code.ts'

export const programs: readonly AgentProgram[] = [
  claudeCode,
  claudeCodeByOtherName,
  codex,
  codexWithSearch,
  codexByNewName,
  codexByNewestName,
  codexOverWebSocket,
  geminiCli,
  ...opencodes,
  qwenCode,
  cline,
]
