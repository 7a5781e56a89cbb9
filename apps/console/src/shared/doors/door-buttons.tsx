import { useMutation } from '@tanstack/react-query'
import { type CodeDoorName, codeDoors, type DoorName, oauthRoutes } from '@tollgate/contract/oauth'
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
import { DoorMark } from './door-mark.tsx'
import { doorsMessages } from './doors-messages.ts'
import styles from './doors.module.css'
import { doorLabels, leaveThrough, openDoors, registeringDoors } from './doors.ts'
import { TelegramButton } from './telegram-button.tsx'

const WechatDialog = lazy(async () => ({
  default: (await import('./wechat-dialog.tsx')).WechatDialog,
}))

interface DoorButtonsProps {
  /** Where to go on after a provider sent the visitor back. */
  readonly returnTo: string
  /** A form with a password stands above. */
  readonly isBelowForm: boolean
  /** For new accounts: without doors that only know accounts we have already. */
  readonly isRegistering?: boolean
}

/** Every way in through somebody else that the operator opened. Once signed in, the page around leads on by itself. */
export function DoorButtons({ returnTo, isBelowForm, isRegistering = false }: DoorButtonsProps) {
  const t = doorsMessages.use()
  const status = useStatus()
  const doors = isRegistering ? registeringDoors(status) : openDoors(status)
  const leave = useMutation({
    mutationFn: (door: CodeDoorName) => leaveThrough(door, returnTo),
    meta: { isFailureShown: true },
  })
  if (doors.length === 0) return null
  return (
    <div className={styles.doors}>
      {isBelowForm && <div className={styles.or}>{t('or')}</div>}
      {doors.filter(isCodeDoor).map((door) => (
        <PlainButton
          key={door}
          isLarge
          isBusy={leave.isPending && leave.variables === door}
          onClick={() => leave.mutate(door)}
        >
          <DoorMark door={door} />
          {t('through', { door: doorLabels[door] })}
        </PlainButton>
      ))}
      {leave.error !== null && <PlainAlert tone="act" title={failureText(leave.error)} />}
      {doors.includes('wechat') && <WechatButton />}
      {doors.includes('telegram') && <TelegramButton returnTo={returnTo} />}
    </div>
  )
}

function WechatButton() {
  const t = doorsMessages.use()
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
        <DoorMark door="wechat" />
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

export function isCodeDoor(door: DoorName): door is CodeDoorName {
  return codeDoors.some((name) => name === door)
}
