import { create } from 'zustand'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { notifyDone } from '../notify/notify.ts'

/** The text that could not be copied and is now shown in a dialog for manual copying. */
export const useManualCopy = create<{ readonly text: string | undefined }>(() => ({ text: undefined }))

/**
 * Copies a text and shows a notice. If the browser refuses (no HTTPS, no permission), a dialog shows the text
 * for manual copying.
 */
export async function copyText(text: string, options?: { readonly isSecret?: boolean }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    useManualCopy.setState({ text })
    return
  }
  const { t } = sharedMessages
  notifyDone(options?.isSecret === true || text.length > 80 ? t('copied') : t('copiedText', { text }))
}
