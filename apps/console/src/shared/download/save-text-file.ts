/** A byte order mark, so that spreadsheets read Chinese. */
const UTF8_MARK = '\uFEFF'

export interface TextFile {
  readonly name: string
  readonly type: string
  readonly parts: readonly string[]
}

/** Hands a text to the browser as a download. */
export function saveTextFile({ name, type, parts }: TextFile): void {
  const address = URL.createObjectURL(new Blob([UTF8_MARK, ...parts], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
