/** Words that engineers use for one another, a line for each meaning. */
export const meanings = `
durable persist persistent store save record disk
drop lose disconnect close abort reset broken
retry attempt again redo backoff resend
wait sleep delay block pause idle
timeout deadline expire ttl
start begin launch boot init initialize spawn setup
stop end terminate shutdown kill quit exit close finish halt
delete remove drop destroy clear purge unlink erase
cleanup clean dispose release free
create make new build construct add
send deliver emit publish dispatch push post transmit
receive consume recv accept incoming inbound
fetch load get read retrieve pull
check validate verify assert ensure guard
error failure exception fail panic fault
find search lookup match locate resolve query discover
choose select pick decide determine
limit cap max maximum throttle bound quota
cache memo memoize memory remember known
order sort priority precedence
parse decode read deserialize unmarshal interpret
encode serialize marshal format dump stringify
config configuration option setting preference
login credential authenticate auth authorization
job task work unit
step stage operation
queue backlog buffer
lock mutex reserve claim acquire lease
skip ignore exclude filter hide omit
colour color
path route url address uri
address ip host remote
site origin domain host
placeholder param parameter wildcard variable
payload body content
answer response reply result
reader parser decoder
hit match result found
alphabetical sort order
upper lower case
uppercase lowercase case
broker server host
failover alternate fallback next
offline unreachable disconnect partition
machine server node peer host
manual recover hand
discard trim truncate compact throw drop
loop iterate each enumerate
confirm ack acknowledge commit
crash panic recover exception
long length max size
big max size limit large
slow timeout deadline expire
twice again repeat
login auth authentication session
safe trust allow secure
refuse reject deny forbid disallow
allow enable permit accept
keep retain preserve hold
combine batch merge group
lazy defer demand
import load require
environment env
underlying inner transport base
current active
charset encoding
setting option config
reload refresh change
progress active busy inflight pending
recover restore
restore requeue resume return
resume continue checkpoint cursor
deploy restart interrupt
rest remaining other
failure outcome handled broken
block open circuit
large big huge
customer user client
visitor client remote
compute calculate
want demand
host hostname
forget expire evict
idle keepalive
merge combine join concat concatenate
split divide partition chunk
copy clone duplicate
print show display render output
watch observe listen monitor subscribe
change modify update mutate alter edit
size length count
crash die kill dead death
concurrent parallel thread simultaneous multithread
leader elect vote election
compress gzip zip deflate
expand extend interpolate
plugin extension addon middleware
hook callback handler listener
child sub nested
parent super
replace substitute swap
reuse pool recycle
connect connection dial
message mail letter packet
schedule cron periodic interval
undo rollback revert
guess infer detect sniff
convert transform coerce cast translate
escape quote sanitize
template placeholder
redirect follow
upgrade migrate
snapshot checkpoint
replicate sync propagate
stream chunk
sign signature
encrypt cipher
hash digest checksum
hang stall stuck
shutdown close stop terminate exit graceful drain
restart reboot relaunch
startup boot init bootstrap
wrong invalid malformed bad
broken invalid corrupt
missing absent undefined
empty blank nil none
unsafe insecure untrusted
trust safe whitelist allowlist
protect guard secure
secret sensitive password token
password credential passphrase
role permission privilege
hide mask redact obfuscate
typo mistake similar distance
similar like near distance
suggest hint
compare equal diff cmp
same equal identical duplicate
duplicate unique dedupe
old stale previous legacy expired outdated
fresh stale
often frequency weight interval
slow latency
wait await pending poll
pending outstanding inflight queued
reclaim free release collect
memory buffer heap alloc
disk file storage
directory folder dir
page document html
upload multipart form
download fetch stream
browser client agent
network socket transport
socket websocket ws
program process command executable
program command exec
command cmd
worker thread executor
background async daemon goroutine thread
order sequence
priority weight rank
prefer default
default fallback
backup replica
replica follower slave secondary standby
leader master primary
majority quorum
enough minimum sufficient threshold
threshold limit
reach contact
alive heartbeat ping health
lost disconnect
behind lag stale
entry log record item
log journal history
event emit signal
notify signal alert
handshake negotiate
media mime content
kind type
character char rune
letter char
moment tick
interval period duration
timer timeout interval
color ansi style
terminal tty console
press key
ctrl signal interrupt sigint
cancel abort
argument arg parameter param
flag option switch
prefix start
suffix ending extension
nested inner child
outer parent
mount nest attach
cut truncate
strip trim remove
pattern regex glob
policy strategy rule
endless infinite recursion cycle
recursion recursive cycle
move redirect
forward proxy relay
exceed over limit max
overflow exceed
full capacity overflow
space room capacity
random jitter
distribute share balance
piece chunk fragment
instance object
constructor construct instantiate
field property attribute member
subclass derived
override replace
version revision
wake resume
suspend pause
stuck deadlock hang
ready available
invoke call
execute run exec
trigger fire emit
success ok succeed
complete finish done
progress running
partial incomplete
code status
unconfirmed unack
ensure guarantee
target destination
link href url anchor
deny forbidden
upper uppercase
lower lowercase
`

/** Words that mean the opposite: what undoes something is not how it is done. */
export const opposites = `
start stop
begin end
open close
add remove
create delete
create destroy
spawn kill
lock unlock
acquire release
send receive
push pop
push pull
encode decode
serialize deserialize
marshal unmarshal
subscribe unsubscribe
connect disconnect
read write
load save
enable disable
show hide
mount unmount
attach detach
register unregister
allow deny
accept reject
enter exit
enter leave
compress decompress
encrypt decrypt
commit rollback
`
