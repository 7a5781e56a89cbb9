import type { HumanAction } from '@tollgate/contract/human-check'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useTheme } from '../design/theme-mode.ts'
import { useLanguage } from '../i18n/language.ts'
import { PlainAlert } from '../page/plain-alert.tsx'
import { useStatus } from '../session/status.ts'
import { signInMessages } from './sign-in-messages.ts'
import styles from './providers.module.css'
import { loadScript } from './load-script.ts'

// Explicit rendering is documented at
// https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/
const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'

interface Turnstile {
  render(
    place: HTMLElement,
    options: {
      sitekey: string
      action: HumanAction
      theme: 'light' | 'dark'
      language: string
      callback: (token: string) => void
      'expired-callback': () => void
      'error-callback': () => void
    },
  ): string
  reset(widget: string): void
  remove(widget: string): void
}

export interface HumanCheck {
  /** The token to send; `undefined` while the widget is still checking; "" if no check is required. */
  readonly token: string | undefined
  /** A token is valid for one call; this makes the widget create another. */
  readonly renew: () => void
  /** The widget's element; `null` if no check is required. */
  readonly widget: ReactNode
}

/** The operator's bot check (Turnstile) for one action of one form. */
export function useHumanCheck(action: HumanAction): HumanCheck {
  const { turnstile_check: isOn, turnstile_site_key: siteKey } = useStatus()
  const [token, setToken] = useState<string>()
  const renewals = useRef<() => void>(undefined)
  const renew = useCallback(() => {
    setToken(undefined)
    renewals.current?.()
  }, [])
  if (!isOn) return { token: '', renew, widget: null }
  const widget = (
    <Widget
      siteKey={siteKey}
      action={action}
      onToken={setToken}
      onReady={(reset) => {
        renewals.current = reset
      }}
    />
  )
  return { token, renew, widget }
}

interface WidgetProps {
  readonly siteKey: string
  readonly action: HumanAction
  readonly onToken: (token: string | undefined) => void
  readonly onReady: (reset: () => void) => void
}

function Widget({ siteKey, action, onToken, onReady }: WidgetProps) {
  const t = signInMessages.use()
  const theme = useTheme()
  const language = useLanguage()
  const place = useRef<HTMLDivElement>(null)
  const listeners = useRef({ onToken, onReady })
  const [isFailed, setIsFailed] = useState(false)
  useEffect(() => {
    listeners.current = { onToken, onReady }
  })
  useEffect(() => {
    let remove: (() => void) | undefined
    let isGone = false
    const show = async () => {
      await loadScript(SCRIPT)
      const turnstile = turnstileOf(globalThis)
      if (isGone || turnstile === undefined || place.current === null) return
      const widget = turnstile.render(place.current, {
        sitekey: siteKey,
        action,
        theme,
        language,
        callback: (token) => listeners.current.onToken(token),
        'expired-callback': () => listeners.current.onToken(undefined),
        'error-callback': () => setIsFailed(true),
      })
      listeners.current.onReady(() => turnstile.reset(widget))
      remove = () => turnstile.remove(widget)
    }
    show().catch(() => setIsFailed(true))
    return () => {
      isGone = true
      remove?.()
      listeners.current.onToken(undefined)
    }
  }, [siteKey, action, theme, language])
  if (isFailed) return <PlainAlert tone="look" title={t('human.failed')} />
  return (
    <section aria-label={t('human.label')}>
      <div ref={place} className={styles.human} />
    </section>
  )
}

function turnstileOf(scope: object): Turnstile | undefined {
  const found: unknown = 'turnstile' in scope ? scope.turnstile : undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the script above defines
  return typeof found === 'object' && found !== null ? (found as Turnstile) : undefined
}
