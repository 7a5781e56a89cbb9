import { useEffect, useRef, useState } from 'react'
import { PlainAlert } from '../page/plain-alert.tsx'
import { useStatus } from '../session/status.ts'
import { storeReturnTo } from './providers.ts'
import { signInMessages } from './sign-in-messages.ts'
import styles from './providers.module.css'

// https://core.telegram.org/widgets/login
const SCRIPT = 'https://telegram.org/js/telegram-widget.js?22'

interface TelegramButtonProps {
  /** The page to open after Telegram has redirected back. */
  readonly returnTo: string
}

/**
 * Telegram's own button. It redirects to one of our pages with signed data; its callback variant needs
 * `eval`, which our content security policy forbids.
 */
export function TelegramButton({ returnTo }: TelegramButtonProps) {
  const t = signInMessages.use()
  const { telegram_bot_name: bot } = useStatus()
  const place = useRef<HTMLDivElement>(null)
  const [isFailed, setIsFailed] = useState(false)
  // A click inside Telegram's frame cannot be observed, so the page is stored in advance. Another sign-in
  // provider overwrites it when it is used.
  useEffect(() => storeReturnTo(returnTo), [returnTo])
  useEffect(() => {
    const script = document.createElement('script')
    script.src = SCRIPT
    script.async = true
    script.dataset['telegramLogin'] = bot
    script.dataset['size'] = 'large'
    script.dataset['radius'] = '6'
    script.dataset['authUrl'] = `${globalThis.location.origin}/oauth/telegram`
    script.addEventListener('error', () => setIsFailed(true))
    const frame = place.current
    frame?.append(script)
    return () => frame?.replaceChildren()
  }, [bot])
  if (isFailed) return <PlainAlert tone="look" title={t('telegram.failed')} />
  return <div ref={place} className={styles.telegram} />
}
