import { useMutation } from '@tanstack/react-query'
import { type CodeDoorName, codeDoors, type DoorName, oauthRoutes } from '@tollgate/contract/oauth'
import { Alert, Button, Divider } from 'antd'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { failureText } from '../api/failure.ts'
import { queryClient } from '../api/query-client.ts'
import { notifyDone } from '../notify/notify.ts'
import { signIn } from '../session/session.ts'
import { useStatus } from '../session/status.ts'
import { rememberedAff } from './aff.ts'
import { doorsMessages } from './doors-messages.ts'
import styles from './doors.module.css'
import { doorLabels, leaveThrough, openDoors } from './doors.ts'
import { TelegramButton } from './telegram-button.tsx'
import { WechatDialog } from './wechat-dialog.tsx'

interface DoorButtonsProps {
  /** Where to go on after a provider sent the visitor back. */
  readonly returnTo: string
  /** A form with a password stands above. */
  readonly isBelowForm: boolean
}

/** Every way in through somebody else that the operator opened. Once signed in, the page around leads on by itself. */
export function DoorButtons({ returnTo, isBelowForm }: DoorButtonsProps) {
  const t = doorsMessages.use()
  const doors = openDoors(useStatus())
  const leave = useMutation({
    mutationFn: (door: CodeDoorName) => leaveThrough(door, returnTo),
    meta: { isFailureShown: true },
  })
  if (doors.length === 0) return null
  return (
    <div className={styles.doors}>
      {isBelowForm && <Divider plain>{t('or')}</Divider>}
      {doors.filter(isCodeDoor).map((door) => (
        <Button
          key={door}
          block
          size="large"
          loading={leave.isPending && leave.variables === door}
          onClick={() => leave.mutate(door)}
        >
          {t('through', { door: doorLabels[door] })}
        </Button>
      ))}
      {leave.error !== null && <Alert type="error" role="alert" title={failureText(leave.error)} />}
      {doors.includes('wechat') && <WechatButton />}
      {doors.includes('telegram') && <TelegramButton />}
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
      <Button block size="large" onClick={() => setIsOpen(true)}>
        {t('through', { door: t('wechat.title') })}
      </Button>
      {isOpen && <WechatDialog onCode={enter} onClose={() => setIsOpen(false)} />}
    </>
  )
}

export function isCodeDoor(door: DoorName): door is CodeDoorName {
  return codeDoors.some((name) => name === door)
}
