import { accessSync, constants, existsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError, jsonText } from '../command.ts'

export function writeReport(path: string, report: unknown): void {
  try {
    writeFileSync(path, jsonText(report))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`The import is done, but ${path} cannot be written: ${why}.`, { cause })
  }
}

/** Fails before anything is changed, instead of after. */
export function requireWritable(path: string): void {
  try {
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`${path} cannot be written: ${why}.`, { cause })
  }
}
