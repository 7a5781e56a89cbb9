/** A new set with the member taken out if it was in, and put in if it was not. */
export function toggled<Member>(members: ReadonlySet<Member>, member: Member): ReadonlySet<Member> {
  return members.has(member) ? members.difference(new Set([member])) : members.union(new Set([member]))
}
