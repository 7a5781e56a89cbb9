import { useParams } from '@tanstack/react-router'
import { GoTo } from '../../../shared/routing/go-to.tsx'
import { paths } from '../../../shared/routing/paths.ts'

/** Forms open beside their list here. */
export default function UserEditRedirect() {
  const { id } = useParams({ strict: false })
  return <GoTo href={id === undefined ? paths.personal : `${paths.users}?edit=${encodeURIComponent(id)}`} />
}
