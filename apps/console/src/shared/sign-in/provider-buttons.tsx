import { useMutation } from '@tanstack/react-query'
import {
  type OAuthProviderName,
  oauthProviderNames,
  type SignInProviderName,
  oauthRoutes,
} from '@tollgate/contract/oauth'
import { lazy, Suspense, useState } from 'react'
import { api } from '../api/client.ts'
import { failureText } from '../api/failure.ts'
import { queryClient } from '../api/query-client.ts'
import { notifyDone } from '../notify/notify.ts'
import { PlainAlert } from '../page/plain-alert.tsx'
import { PlainButton } from '../page/plain-button.tsx'
import { signIn } from '../session/session.ts'
import { useStatus } from '../session/status.ts'
import { rememberedAff } from './aff.ts'
import { ProviderMark } from './provider-mark.tsx'
import { signInMessages } from './sign-in-messages.ts'
import styles from './providers.module.css'
import {
  providerLabels,
  redirectToProvider,
  openSignInProviders,
  providersForRegistration,
} from './providers.ts'
import { TelegramButton } from './telegram-button.tsx'

const WechatDialog = lazy(async () => ({
  default: (await import('./wechat-dialog.tsx')).WechatDialog,
}))

interface ProviderButtonsProps {
  /** The page to open after the provider has redirected back. */
  readonly returnTo: string
  /** Whether a password form stands above. */
  readonly isBelowForm: boolean
  /** For registration: leaves out providers that cannot create accounts. */
  readonly isRegistering?: boolean
}

/**
 * Buttons for all sign-in providers that the operator enabled. Once signed in, the surrounding page redirects
 * by itself.
 */
export function ProviderButtons({ returnTo, isBelowForm, isRegistering = false }: ProviderButtonsProps) {
  const t = signInMessages.use()
  const status = useStatus()
  const providers = isRegistering ? providersForRegistration(status) : openSignInProviders(status)
  const leave = useMutation({
    mutationFn: (provider: OAuthProviderName) => redirectToProvider(provider, returnTo),
    meta: { isFailureShown: true },
  })
  if (providers.length === 0) return null
  return (
    <div className="stack-12">
      {isBelowForm && <div className={styles.or}>{t('or')}</div>}
      {providers.filter(isOAuthProvider).map((provider) => (
        <PlainButton
          key={provider}
          isLarge
          isBusy={leave.isPending && leave.variables === provider}
          onClick={() => leave.mutate(provider)}
        >
          <ProviderMark provider={provider} />
          {t('through', { provider: providerLabels[provider] })}
        </PlainButton>
      ))}
      {leave.error !== null && <PlainAlert tone="act" title={failureText(leave.error)} />}
      {providers.includes('wechat') && <WechatButton />}
      {providers.includes('telegram') && <TelegramButton returnTo={returnTo} />}
    </div>
  )
}

function WechatButton() {
  const t = signInMessages.use()
  const [isOpen, setIsOpen] = useState(false)
  const enter = async (code: string) => {
    const user = await api.call(oauthRoutes.wechat, { query: { code, aff: rememberedAff() } })
    queryClient.removeQueries({ queryKey: ['self'] })
    notifyDone(t('done'))
    signIn(user)
  }
  return (
    <>
      <PlainButton isLarge onClick={() => setIsOpen(true)}>
        <ProviderMark provider="wechat" />
        {t('wechat.through')}
      </PlainButton>
      {isOpen && (
        <Suspense fallback={null}>
          <WechatDialog onCode={enter} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

export function isOAuthProvider(provider: SignInProviderName): provider is OAuthProviderName {
  return oauthProviderNames.some((name) => name === provider)
}
