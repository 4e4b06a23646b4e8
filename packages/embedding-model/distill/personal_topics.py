"""What people tell an assistant about themselves and their work, and how they ask for it later.

Two lines a topic: ways to state a fact, then ways to ask for it, in other words. Slots are filled from the lists here, and from
common WordNet lemmas where their name is one of WordNet's noun classes. None of it is evaluation data.
"""

from sentences import DAYS, NAMES, PLACES, TECH

SLOTS = {
    "relative": "wife|husband|partner|girlfriend|boyfriend|mother|father|mum|dad|sister|brother|son|daughter|grandmother|grandfather|aunt|uncle|cousin|niece|nephew|mother-in-law|best friend|flatmate|neighbour",
    "job": "teacher|nurse|software developer|carpenter|lawyer|accountant|chef|electrician|architect|journalist|dentist|plumber|designer|pharmacist|truck driver|data analyst|social worker|photographer|translator|librarian|physiotherapist|mechanic|biologist|product manager|hairdresser|farmer|pilot|consultant|police officer|student",
    "company": "Harlow Bank|Nordwind Logistics|Pixelmill|Greenfield Dairy|Castor Robotics|the city council|the university hospital|a small startup|Blue Fern Studio|Orbit Media|the post office|a law firm|Kestrel Airlines|a bakery chain|Marlin Software",
    "petname": "Biscuit|Luna|Rocky|Pepper|Milo|Daisy|Shadow|Waffles|Coco|Ziggy|Nala|Oscar|Poppy|Tiger|Mochi",
    "pet": "dog|cat|puppy|kitten|rabbit|hamster|parrot|budgie|tortoise|goldfish|guinea pig|horse|golden retriever|beagle|Siamese|gecko",
    "dish": "lasagne|ramen|tacos|curry|pancakes|sushi|risotto|dumplings|falafel|roast chicken|goulash|paella|pad thai|lentil soup|fish and chips|pizza|burgers|carbonara|moussaka|pierogi|cheesecake|apple pie|tiramisu|ice cream",
    "ingredient": "peanuts|shellfish|dairy|gluten|eggs|soy|strawberries|mushrooms|coriander|olives|onions|garlic|walnuts|shrimp|cheese|tomatoes|sesame|celery|raisins|blue cheese|anchovies|liver|tofu",
    "drink": "coffee|green tea|oat milk latte|espresso|red wine|beer|orange juice|sparkling water|whisky|lemonade|cola|hot chocolate|black tea|matcha|gin and tonic",
    "diet": "vegetarian|vegan|pescatarian|gluten-free|keto|halal|kosher|lactose intolerant|low-carb",
    "illness": "asthma|migraines|diabetes|high blood pressure|hay fever|eczema|anaemia|back pain|insomnia|arthritis|a slipped disc|depression|epilepsy|a thyroid problem|coeliac disease|vertigo|tinnitus|ADHD",
    "medicine": "ibuprofen|insulin|antihistamines|metformin|an inhaler|iron tablets|blood thinners|vitamin D|statins|sleeping pills|thyroxine|antidepressants|magnesium|beta blockers",
    "sport": "tennis|football|swimming|climbing|badminton|basketball|rowing|volleyball|judo|cycling|running|yoga|skiing|golf|table tennis|boxing|surfing|handball|fencing|bouldering|pilates|hockey",
    "instrument": "piano|guitar|violin|cello|drums|flute|trumpet|saxophone|ukulele|accordion|clarinet|harp|bass",
    "music": "jazz|techno|classical music|heavy metal|folk|hip hop|blues|opera|indie rock|reggae|country music|K-pop|punk|soul",
    "hobby": "pottery|knitting|photography|woodworking|gardening|baking|birdwatching|painting|chess|crochet|sewing|fishing|astronomy|calligraphy|model trains|origami|beekeeping|scuba diving|dancing|stamp collecting|video games|board games|hiking|embroidery|singing in a choir|writing poetry",
    "genre": "science fiction|crime novels|historical fiction|biographies|fantasy|romance|thrillers|poetry|graphic novels|horror|travel writing|philosophy",
    "movie": "documentaries|romantic comedies|horror films|westerns|anime|musicals|superhero films|silent films|thrillers|French films",
    "subject": "biology|chemistry|history|physics|mathematics|psychology|economics|law|medicine|computer science|art history|linguistics|geography|philosophy|engineering|nursing|music",
    "language": "Spanish|French|German|Japanese|Mandarin|Arabic|Italian|Portuguese|Dutch|Polish|Russian|Korean|Turkish|Swedish|Hindi|Greek|sign language",
    "vehicle": "a Volkswagen Golf|an old Volvo|a Tesla|a Toyota Corolla|a motorbike|a camper van|a pickup truck|a scooter|a Skoda|a Fiat 500|a cargo bike|a red Mini|an electric Kia|a Ford Transit",
    "device": "a MacBook|a ThinkPad|an iPhone|a Pixel phone|a Kindle|an iPad|a desktop PC|a Dell laptop|an Android tablet|a smartwatch|a mechanical keyboard|two monitors",
    "system": "Linux|Windows|macOS|Ubuntu|Fedora|Android|iOS|Debian|Arch",
    "editor": "VS Code|Vim|Emacs|IntelliJ|Neovim|Sublime Text|Xcode|Notepad",
    "codelanguage": "Python|TypeScript|Rust|Go|Java|Kotlin|C++|Ruby|Swift|Elixir|PHP|Haskell|C#|Scala",
    "framework": "React|Vue|Svelte|Django|Rails|Spring|Angular|FastAPI|Next.js|Laravel|Express|Flutter",
    "database": "PostgreSQL|MySQL|SQLite|MongoDB|Redis|Cassandra|DynamoDB|MariaDB|Oracle|DuckDB",
    "cloud": "AWS|Azure|Google Cloud|Hetzner|DigitalOcean|our own servers|Heroku|Fly.io|Cloudflare",
    "chat": "Slack|Teams|Discord|Signal|WhatsApp|email|Telegram|Mattermost",
    "tool": "Jira|Linear|Trello|Notion|GitHub issues|Asana|Figma|Miro|Grafana|Sentry|Datadog|Jenkins|GitLab|Confluence",
    "colour": "blue|green|red|yellow|purple|orange|black|white|teal|grey|pink|brown|dark blue|turquoise",
    "season": "spring|summer|autumn|winter",
    "month": "January|February|March|April|May|June|July|August|September|October|November|December",
    "weekday": "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday",
    "hour": "6 am|7:30|8 in the morning|9:15|10 am|noon|1 pm|2:30 pm|4 pm|5:45 pm|6 in the evening|8 pm|10 pm|midnight",
    "number": "2|3|4|5|6|7|8|9|10|12|14|15|18|20|24|25|30|40|42|60|75|90|100|120|250|500",
    "money": "$20|300 euros|£45|1,200 dollars|15,000 euros|2 million|$800 a month|50 pounds|90k a year|4,500",
    "street": "Elm Street|Station Road|Harbour Lane|Mill Road|Lindenstrasse|the old town|Oak Avenue|the suburbs|Park Row|the city centre|the countryside|Bridge Street",
    "home": "a flat|a house|a studio apartment|a terraced house|a farm|a shared flat|a cottage|a penthouse|a houseboat|student housing",
    "room": "kitchen|bathroom|living room|bedroom|attic|cellar|garage|balcony|garden|office|hallway",
    "transport": "train|bus|bike|car|tram|ferry|underground|foot|scooter",
    "seat": "window|aisle",
    "trait": "shy|impatient|a morning person|a night owl|an introvert|an extrovert|left-handed|colour-blind|short-sighted|tall|deaf in one ear|a perfectionist|afraid of heights|scared of spiders|afraid of flying|claustrophobic",
    "style": "short answers|bullet points|plain English|formal language|no emojis|detailed explanations|examples first|metric units|code before prose|British spelling|tables|step-by-step instructions|a friendly tone|answers in German",
    "service": "gym|library|phone provider|internet provider|bank|insurance company|dentist|doctor|vet|landlord|lawyer|accountant|hairdresser|therapist|babysitter|cleaner|plumber|tutor",
    "occasion": "birthday|wedding|anniversary|graduation|retirement party|housewarming|baby shower|christening|reunion|farewell party|Christmas|Easter|New Year's Eve",
    "gift": "a watch|a book|flowers|a necklace|a bike|concert tickets|a cookbook|a scarf|headphones|a puzzle|perfume|a spa voucher|a camera|a teapot",
    "goal": "run a marathon|lose five kilos|learn to swim|write a novel|quit smoking|buy a house|save for a car|get a promotion|start a company|learn to drive|sleep more|drink less coffee|read more books|pass the bar exam|travel around the world",
    "fear": "spiders|heights|flying|dogs|the dark|needles|public speaking|deep water|thunderstorms|snakes|clowns|lifts",
    "team": "Arsenal|the Lakers|Bayern|Barcelona|the Red Sox|Ajax|the All Blacks|Celtic|the Packers|Juventus",
    "clothing": "shoes|trousers|shirts|dresses|jackets|gloves|hats|rings|jeans|boots",
    "event": "meeting|review|interview|dentist appointment|exam|flight|concert|workshop|haircut|deadline|parents' evening|driving test|surgery|check-up|presentation|conference|audit|demo",
    "place": "|".join(PLACES),
    "name": "|".join(NAMES),
    "day": "|".join(DAYS),
    "tech": "|".join(TECH),
    "plural": "stamps|coins|books|records|shells|postcards|watches|toys|maps|bottles",
}

TOPICS = """
I live in {place}.|My home is in {place}.|I moved to {place} {day}.|We've settled in {place}.|I'm based in {place}.|I've got {home} in {place}.
Where do I live?|which city am I in?|What's my home town now?|where is my house?|What town did I move to?|In which country do I live?
I live on {street}.|My address is {number} {street}.|We rent {home} on {street}.|Parcels go to {number} {street}.
What's my address?|which street do I live on?|where should the parcel be delivered?|What kind of place do I live in?|Where should they ship it?
I work as a {job}.|I'm a {job}.|I earn my living as a {job}.|I trained as a {job}.|My job is {job}.
What do I do for a living?|what's my job?|What is my profession?|what's my occupation?|What line of work am I in?|How do I earn my money?
I work for {company}.|I started at {company} {day}.|My employer is {company}.|I got hired by {company}.|I left {company} {day}.
Who do I work for?|where do I work?|what company am I at?|Who's my employer?|who employs me?|Where did I use to work?
My boss is called {name}.|{name} is my manager.|I report to {name}.|{name} leads our team.|{name} is the head of our department.|My supervisor's name is {name}.
Who's my boss?|who is my manager?|Who do I report to?|who is in charge of my team?|Who runs our department?|what's my supervisor called?
My {relative} is called {name}.|My {relative}'s name is {name}.|{name} is my {relative}.|I'm married to {name}.|I have {number} kids, {name} and {name}.
What's my {relative}'s name?|who is {name}?|what are my children called?|Who am I married to?|How is {name} related to me?|do I have siblings?|How many kids do I have?|what's my spouse's name?
My {relative} works as a {job}.|My {relative} is a {job} at {company}.|My {relative} runs a shop in {place}.
What does my {relative} do for work?|what's my {relative}'s job?|Where does my {relative} work?
My {relative} lives in {place}.|My parents live in {place}.|My family comes from {place}.|I grew up in {place}.|I was born in {place}.
Where does my {relative} live?|where are my parents?|Where am I from originally?|where was I born?|Where did I spend my childhood?|what's my birthplace?
My {relative}'s birthday is in {month}.|My birthday is on {number} {month}.|I was born in {month}.|I turn {number} in {month}.|We got married in {month}.|I'm {number} years old.
When is my {relative}'s birthday?|when was I born?|How old am I?|what's my age?|When's our anniversary?|what month is my birthday in?|When did we get married?
I have a {pet} called {petname}.|My {pet} is named {petname}.|We adopted a {pet}, {petname}, {day}.|Our {pet} {petname} is {number} years old.|We have {number} {pet}s.
What's my {pet}'s name?|do I have any pets?|what animal do we have?|Which pets do I own?|what is my pet called?|How old is {petname}?|what breed is {petname}?
{petname} eats only dry food.|{petname} gets a walk at {hour}.|{petname} is scared of fireworks.|{petname} has to go to the vet on {weekday}.
What does my {pet} eat?|when do I have to walk the {pet}?|What is my pet afraid of?|When is the vet appointment?
I'm allergic to {ingredient}.|{ingredient} give me a rash.|I can't eat {ingredient}, my throat swells.|I break out in hives from {ingredient}.|I carry an EpiPen because of {ingredient}.
What am I allergic to?|any allergies?|what foods should I avoid?|Is there anything I can't eat?|What must a waiter know about me?|which food is dangerous for me?
I hate {ingredient}.|I can't stand {ingredient}.|{ingredient}? No thanks.|I pick the {ingredient} out of everything.|I don't like {ingredient}.
Which food do I dislike?|what don't I like to eat?|What should not be on my pizza?|what ingredient do I hate?
My favourite dish is {dish}.|I could eat {dish} every day.|I love {dish}.|Nothing beats {dish}.|{dish} is my comfort food.
What's my favourite food?|what do I like to eat?|what should we cook for me?|What meal makes me happy?|which dish do I love?
I'm {diet}.|I don't eat meat.|I stopped eating meat {day}.|We keep {diet} at home.|I've been {diet} for {number} years.
What's my diet?|do I eat meat?|Am I vegetarian?|what should a host know about my food?|what kind of restaurant suits me?|Any dietary restrictions?
We have dinner at {hour}.|On {weekday}s we eat {dish}.|I skip breakfast.|I have {dish} for breakfast.|I usually cook on {weekday}s.
When do we eat in the evening?|what do I have in the morning?|Do I eat breakfast?|What's for dinner on {weekday}s?|When do I cook?
I drink my {drink} without sugar.|I start the day with {drink}.|I gave up {drink}.|I don't drink alcohol.|My favourite drink is {drink}.|I never have {drink} after {hour}.
What do I like to drink?|how do I take my coffee?|Do I drink alcohol?|what's my usual drink?|What beverage should I order?|what do I have with milk?
I have {illness}.|I suffer from {illness}.|I was diagnosed with {illness} {day}.|My {illness} got worse.|The doctor says it's {illness}.
What medical conditions do I have?|what illness do I have?|what was my diagnosis?|Any health problems?|What's wrong with me?|what do I suffer from?
I take {medicine} every morning.|I was prescribed {medicine}.|I'm on {medicine}.|I must not take {medicine}.|My dose of {medicine} is {number} mg.
What medication am I on?|which drugs do I take?|What did the doctor prescribe?|which pills do I swallow?|what's my dose?|Which medicine is not for me?
I broke my {body} {day}.|I had surgery on my {body}.|My {body} hurts when I run.|I sprained my {body} at {sport}.
What injury do I have?|what part of my body hurts?|Which bone did I break?|why can't I run?|What operation did I have?
I play {sport} on {weekday}s.|I go {sport} with {name}.|I train for {sport} {number} times a week.|I took up {sport} {day}.|I do {sport} before work.
What sport do I do?|how do I stay fit?|What exercise do I get?|when do I work out?|Who do I train with?|which sport have I taken up?|How often do I exercise?
I play the {instrument}.|I'm learning the {instrument}.|I've got {instrument} lessons on {weekday}s.|I sold my {instrument}.|I play {instrument} in a band.
What instrument do I play?|which musical instrument am I learning?|do I make music?|When's my music lesson?
I listen to {music}.|I love {music}.|My favourite band is the {petname}s.|I've been to {number} concerts of {name}.
What music do I like?|what do I listen to?|Which bands do I like?|what playlist should you put on for me?|Who is my favourite artist?
I'm into {hobby}.|My hobby is {hobby}.|I spend my weekends with {hobby}.|I started {hobby} {day}.|I'm learning {hobby}.|{hobby} calms me down.
What are my hobbies?|what do I do in my free time?|How do I relax?|what am I into?|What pastime have I picked up?|what do I do at weekends?
I like reading {genre}.|I'm reading a book about {noun}.|I mostly read {genre}.|My favourite author is {name}.|I read before going to sleep.
What do I read?|what kind of books do I like?|Which novel should you recommend?|Who's my favourite writer?|what book am I on?
I love {movie}.|I don't watch {movie}.|My favourite film is about a {job}.|We're watching a series about {noun}.
What films do I like?|what should we watch tonight?|Which movies don't I watch?|what series are we watching?
I'm studying {subject}.|I study {subject} in {place}.|I have a degree in {subject}.|I graduated in {subject} {day}.|I dropped out of {subject}.|I'm doing a PhD in {subject}.
What did I study?|what's my degree?|what am I studying?|Which university course am I in?|What's my education?|what was my major?
I speak {language}.|I'm learning {language}.|My mother tongue is {language}.|We speak {language} at home.|I understand a little {language}.
Which languages do I speak?|what's my native language?|what language am I learning?|What do we talk at home?
I have trouble with {subject}.|I got a bad mark in {subject}.|I'm good at {subject}.|My exam in {subject} is on {weekday}.|I understand {subject} best with pictures.
What subject am I weak in?|what am I good at in school?|When's my exam?|What test is coming up?|how do I learn best?
I drive {vehicle}.|I bought {vehicle} {day}.|My car is {vehicle}.|I sold {vehicle}.|I don't have a driving licence.|The car is due for service in {month}.
What car do I drive?|what vehicle do I have?|Can I drive?|which make is my car?|When does my car need service?
I go to work by {transport}.|I commute by {transport}, it takes {number} minutes.|I take the {transport} at {hour}.|I walk to the office.
How do I get to work?|what's my commute?|How long does it take me to the office?|When does my {transport} leave?|Do I use public transport?
I always take the {seat} seat.|I get seasick.|I hate flying.|I only travel with hand luggage.|I book hotels with a {room}.
Which seat do I want on a plane?|how do I like to travel?|What do I need in a hotel?|do I check luggage?|What seat should you reserve?
We're going to {place} in {month}.|I booked a trip to {place}.|I've been to {place} {number} times.|Our holiday is in {place} this year.|We spent our honeymoon in {place}.
Where are we going on holiday?|what trip have I booked?|Where did I travel?|Which countries have I visited?|When is our vacation?|where was our honeymoon?
I use {system}.|My laptop is {device}.|I have {device}.|I switched from {system} to {system}.|My phone is {device}.
What computer do I have?|which operating system do I use?|what phone do I have?|What hardware am I on?|What machine do I work with?
My editor is {editor}.|I write code in {editor}.|I use {editor} with a dark theme.|I indent with {number} spaces.|I use tabs, not spaces.
Which editor do I use?|what IDE do I like?|Tabs or spaces?|How do I format my code?|what do I program in?|what's my colour scheme?
We write {codelanguage}.|Our backend is in {codelanguage}.|The frontend uses {framework}.|The app is written in {framework}.|I mostly program in {codelanguage}.
What language is the backend?|which framework does the app use?|What's our stack?|what do I code in?|Which programming language do we use?
We store data in {database}.|Our database is {database}.|We chose {database} over {database}.|The users are kept in {database}.|We migrated to {database} {day}.
Which database do we use?|where is the data stored?|What did we pick for persistence?|what DB is it?|Where do the users live?
We host on {cloud}.|Everything runs on {cloud}.|The servers are in {place}.|We deploy to {cloud} on {weekday}s.|Production is on {cloud}.
Where do we host?|what cloud provider do we use?|When do we deploy?|Where's production?|which region are the servers in?|on what day do releases go out?
The standup is at {hour}.|We meet on {weekday}s at {hour}.|Our team call is at {hour}.|Retro is every second {weekday}.|Planning takes place on {weekday}.
When is the daily meeting?|what time is our stand-up?|When does the team meet?|When's the retrospective?|On which day do we plan?
Reach me by {chat}.|I don't read {chat}.|The team talks on {chat}.|Alerts go to {chat}.|Please call me, I don't answer {chat}.
How can I be reached?|what messenger do we use?|What's the best way to contact me?|where do the alerts go?|How should people get in touch with me?|where does the team chat?
We track tasks in {tool}.|Tickets live in {tool}.|The designs are in {tool}.|Our docs are in {tool}.|Errors are reported to {tool}.|CI runs on {tool}.
Where are our tickets?|which tool do we use for tasks?|Where do I find the mockups?|what runs our builds?|Where is the documentation?|which tracker do we use?
{name} reviews my code.|Pull requests need {number} approvals.|{name} owns {tech}.|Ask {name} about {tech}.|{name} is on call this week.|{name} is responsible for {tech}.
Who reviews my changes?|how many reviewers do we need?|Who knows about {tech}?|Who should I ask about {tech}?|who has pager duty?|Who takes care of {tech}?
The password expires every {number} days.|The API limit is {number} requests a second.|The server listens on port 8{number}.|Backups are kept for {number} days.|Sessions time out after {number} minutes.
How long do we keep backups?|what's our rate limit?|Which port does it run on?|When does a session end?|How often must I change my password?
We release every {number} weeks.|The launch is on {number} {month}.|The deadline is {weekday}.|The project ends in {month}.|We're {number} weeks late.
When do we launch?|what's our release cycle?|When is the project due?|How far behind schedule are we?|when do we go live?|What's the due date?
Our budget is {money}.|I earn {money}.|The rent is {money}.|I save {money} a month.|I owe {name} {money}.|The mortgage is {money}.
How much do we have to spend?|what's my salary?|How much rent do I pay?|What do I put aside?|whom do I owe money?|How much is my flat?|what's my income?
I bank with {company}.|My {service} is {name}.|My {service} is in {place}.|I changed my {service} {day}.|I pay by credit card.|I pay cash.
Which bank am I with?|who is my {service}?|Where's my {service}?|How do I pay?|what's the name of my {service}?
My favourite colour is {colour}.|I painted the {room} {colour}.|I only wear {colour}.|Our logo is {colour}.|The front door is {colour}.
What colour do I like?|what's the colour of the {room}?|Which colour is our logo?|what should the curtains match?|How do I like to dress?
I wear size {number}.|My shoe size is {number}.|I take {clothing} in medium.|I'm {number} cm tall.|I weigh {number} kilos.
What's my size?|what size {clothing} do I need?|How tall am I?|how much do I weigh?|Which size should you order?
I'm {trait}.|I've always been {trait}.|People say I'm {trait}.|I'm afraid of {fear}.|{fear} scare me.
What am I afraid of?|what's my personality like?|Do I have any phobias?|what frightens me?|Am I {trait}?|How would people describe me?
I prefer {style}.|Please use {style}.|Give me {style}.|I like {style}.|Don't give me {style}.|Always answer with {style}.
How should you answer me?|what format do I like?|How do I want replies?|which tone should you use?|What should you keep in mind when you write to me?|what style do I prefer?
I want to {goal}.|My goal is to {goal}.|This year I'll {goal}.|I promised myself to {goal}.|I'm trying to {goal}.
What are my goals?|what am I working towards?|What did I resolve to do?|What do I want to achieve?|what's my plan for this year?|What am I trying to change?
I got {gift} for my {relative}.|My {relative} wants {gift}.|I gave {name} {gift} for the {occasion}.|{name} gave me {gift}.
What present did I get for my {relative}?|what should I give my {relative}?|Which gift did {name} receive?|what did {name} give me?
The {occasion} is on {number} {month}.|We celebrate {occasion} at {name}'s.|{number} guests are coming to the {occasion}.|The {occasion} takes place in {place}.
When's the {occasion}?|where do we celebrate?|How many people did we invite?|Where is the party?|Who hosts the {occasion}?
My {event} is on {weekday} at {hour}.|The {event} was moved to {weekday}.|I have a {event} {day}.|{name} cancelled the {event}.|The {event} is in {place}.
When is my {event}?|what's on my calendar?|Do I have appointments?|where's the {event}?|What was postponed?|who called off the {event}?
I get up at {hour}.|I go to bed at {hour}.|I work from {hour} to {hour}.|I'm most productive at {hour}.|I don't work on {weekday}s.|I work from home on {weekday}s.
When do I wake up?|what are my working hours?|When's my day off?|When am I in the office?|what time do I sleep?|When should you not disturb me?|when can I concentrate best?
I support {team}.|I've been a fan of {team} since I was {number}.|I have season tickets for {team}.
Which team do I support?|what club am I a fan of?|Who do I cheer for?
The wifi password is on the fridge.|The spare key is with {name}.|I parked on level {number}.|I put the {object} in the {room}.|The documents are in the {room}.|The {artifact} is under the stairs.
Where's the spare key?|who has a copy of my key?|Where did I park?|where is the {object}?|Where did I leave the {artifact}?|how do guests get online?
The {room} needs painting.|We're renovating the {room}.|The {artifact} in the {room} is broken.|We bought a new {artifact}.|The heating failed {day}.
What are we doing to the house?|what needs repair?|Which room is being done up?|what's broken at home?|What appliance is new?
My plants are watered on {weekday}s.|Rubbish is collected on {weekday}s.|The cleaner comes on {weekday}.|We do the shopping on {weekday}.|Laundry day is {weekday}.
When do I water the plants?|what day do the bins go out?|When does the cleaning person come?|When do we buy groceries?|when do I do the washing?
{name} is my best friend.|I met {name} at university.|I know {name} from {sport}.|{name} and I don't talk any more.|I broke up with {name} {day}.|{name} is my ex.
Who's my closest friend?|how do I know {name}?|Where did I meet {name}?|who did I fall out with?|Am I single?|Who was I together with?
{name} is expecting a baby in {month}.|{name} has a new job.|{name} moved to {place}.|{name} is getting married.|{name} is in hospital.
Who's pregnant?|who is having a baby?|what's new with {name}?|Who's ill?|where is {name} now?|who is going to marry?
My son goes to {place} primary school.|My daughter is in year {number}.|The kids start school at {hour}.|{name} picks the children up on {weekday}s.
Which school do my kids attend?|what grade is my daughter in?|When does school begin?|who fetches the children?
I believe in God.|I go to church on {weekday}s.|I'm Muslim.|I'm Jewish.|I meditate every morning.|I fast during Ramadan.
What's my religion?|am I religious?|Do I pray?|what spiritual practice do I have?
I voted Green.|I volunteer at the food bank.|I donate to {company}.|I'm a member of the {sport} club.|I'm treasurer of the choir.
What do I volunteer for?|which causes do I support?|what clubs am I in?|Which honorary post do I hold?|Where do I help out?
My contract ends in {month}.|I have {number} days of leave left.|I asked for a raise.|I'm on parental leave.|I retire in {number} years.|I was promoted to {job}.
When does my contract run out?|how much holiday do I have left?|What did I ask my boss for?|Am I working at the moment?|When do I stop working?|what's my new position?
We decided to use {tech}.|The team agreed on {tech}.|We dropped {tech}.|We won't support {tech}.|We replaced {tech} with {tech}.
What did we decide?|what was agreed?|What did we get rid of?|Which option did we choose?|what replaced {tech}?|what don't we support?
{tech} is slow because of {tech}.|The bug was in {tech}.|{tech} went down {day}.|The fix was to restart {tech}.|{tech} needs more memory.
What caused the problem?|why was it slow?|what was broken?|How was it fixed?|what was the root cause?|When was the outage?
Customers get {number} days to return goods.|Support is open until {hour}.|The office is closed on {weekday}s.|Invoices are sent on the {number}th.|Our biggest customer is {company}.
What's the return policy?|when can customers call?|What are the opening hours?|When do bills go out?|who's our most important client?
{name} is my therapist.|I see a counsellor on {weekday}s.|I talk to {name} about my anxiety.|I've felt low since {month}.
Who do I talk to about my worries?|do I get psychological help?|how has my mood been?|When's my therapy session?
I quit smoking {day}.|I smoke {number} cigarettes a day.|I vape.|I haven't had a cigarette since {month}.
Do I smoke?|what habit did I kick?|how many cigarettes do I have?|since when am I a non-smoker?
I sleep {number} hours a night.|I wake up at {hour} without an alarm.|I can't sleep with the window closed.|I nap after lunch.
How much sleep do I get?|am I well rested?|what do I need in order to sleep?|Do I rest during the day?
My blood pressure is {number} over {number}.|My resting pulse is {number}.|My cholesterol is too high.|My last blood test was {day}.
What were my test results?|how is my heart doing?|which lab value is off?|When did I last have my blood checked?
I wear contact lenses.|I wear glasses for reading.|I use a hearing aid.|I have a pacemaker.|I need a wheelchair.
How good is my eyesight?|what aids do I need?|do I see well?|Can I climb stairs?|what implant do I have?
I'm pregnant.|The baby is due in {month}.|We're expecting twins.|We want to call the baby {name}.
When will my child be born?|what are we going to name the baby?|am I having a baby?|how many babies?
My {relative} died in {month}.|My {relative} passed away {day}.|We lost our {pet} {day}.|The funeral is on {weekday}.
Who did we lose?|is my {relative} still alive?|why am I grieving?|When is the burial?
I got divorced {day}.|I've been single for {number} years.|I'm engaged to {name}.|We're separated.|I'm widowed.
What's my marital status?|am I married?|who's my fiancé?|since when am I alone?
I hold a {place} passport.|My visa runs until {month}.|I have a work permit.|I became a citizen {day}.
What's my nationality?|how long may I stay in the country?|am I allowed to work here?|which citizenship do I have?
I flew business class to {place}.|I collect miles with one airline.|I take the night train.|My flight leaves at {hour}.|We land at {hour}.
How did I get to {place}?|what's my frequent flyer programme?|when's departure?|what time do we arrive?
My luggage was lost in {place}.|I left my {artifact} on the {transport}.|Someone stole my {artifact}.|I found a wallet {day}.
What did I lose?|what was stolen from me?|which thing went missing?|Where is my suitcase?
The hotel is called {petname} Inn.|We're staying with {name}.|We booked a cabin by the lake.|Check-in is at {hour}.
Where do we stay?|what accommodation did I book?|when can we get into the room?|Whose place do we sleep at?
I charge my car at home.|The tank holds {number} litres.|I have a flat tyre.|Winter tyres go on in {month}.|My number plate ends in {number}.
What's wrong with my car?|when do I change the tyres?|where do I plug in the vehicle?|what's my licence plate?
I bought shares in {company}.|I invest {money} in funds.|I don't trust crypto.|My pension is with {company}.|I lost {money} on stocks.
What do I invest in?|where's my retirement money?|what do I think about bitcoin?|How did my investments go?
My tax return is due in {month}.|I got a refund of {money}.|I'm self-employed.|I file taxes with {name}.
When do I have to file taxes?|who helps me with my taxes?|am I an employee or a freelancer?|How much did the tax office pay back?
I have insurance with {company}.|My claim number ends in {number}.|The deductible is {money}.|The policy was cancelled {day}.
Who am I insured with?|what's my excess?|do I have coverage?|What happened to my policy?
I order {dish} from the place on {street}.|My favourite restaurant is {petname}'s.|I had the best {dish} in {place}.|We always sit outside.
Which restaurant do I like?|where should we eat tonight?|Where do I get takeaway?|what table should be reserved?
I bake bread on {weekday}s.|I can't cook.|My signature dish is {dish}.|I learned to cook from my {relative}.|We have an induction stove.
What can I make in the kitchen?|am I a good cook?|who taught me cooking?|what do I bake?|what hob do we have?
I'm saving {food} for Sunday.|We're out of {food}.|Buy {food} and {food}.|There's {food} in the freezer.
What's on the shopping list?|what do we need from the supermarket?|what's frozen?|Which groceries ran out?
I swim in the lake.|I run {number} kilometres every {weekday}.|My best time is {number} minutes.|I finished the race in {number}th place.|My trainer is {name}.
How fast am I?|how far do I run?|What's my personal best?|who coaches me?|how did the competition go?
I'm building a {artifact} out of wood.|I'm restoring an old {artifact}.|I collect {plural}.|I repaired the {artifact} myself.
What am I making?|which project am I working on in the garage?|What do I collect?|what did I fix?
I read the news in the morning.|I subscribe to a newspaper.|I listen to podcasts about {subject}.|I've deleted my social media accounts.|I post photos every day.
How do I keep up with current affairs?|what podcasts do I like?|am I on social networks?|which subscriptions do I have?
I play {genre} games on my console.|I've reached level {number}.|I play chess with {name} online.|Our game night is {weekday}.
What do I play?|which games do I like?|How far did I get?|who is my opponent?|when do we play?
I'm shy about my accent.|I was bullied at school.|I'm proud of my {relative}.|I regret selling the {artifact}.|I miss {place}.
What am I ashamed of?|what do I regret?|who am I proud of?|What am I homesick for?|how was my time at school?
I promised {name} to call on {weekday}.|I owe {name} an apology.|I have to return the {artifact} to {name}.|I said I'd help {name} move.
What did I promise?|who am I supposed to ring?|to whom must I say sorry?|what do I have to give back?
Remind me to water the plants.|Don't let me forget the {event}.|I need to renew my {service} contract.|I have to call the {service}.
What's on my to-do list?|which tasks are open?|who do I have to phone?|what shouldn't I forget?
Call me {petname}.|My nickname is {petname}.|My full name is {name} {street}.|My pronouns are they and them.|I changed my last name when I married.
What's my name?|how should you address me?|which pronouns do I use?|what do friends call me?
My phone number ends in {number}.|My email is at {company}.|My emergency contact is {name}.|My username is {petname}{number}.
What's my number?|who should be called in an emergency?|which login do I use?|what's my email address?
I want my summaries in three sentences.|Don't apologise so much.|Quote your sources.|Ask before you delete anything.|Don't use jargon with me.|Round numbers to two places.
How long should summaries be?|what annoys me about your replies?|when do you need my permission?|how exact should figures be?|which rules did I give you?
I'm a beginner in {codelanguage}.|I've programmed for {number} years.|I never learned {subject}.|I know {framework} well.
How experienced am I?|what's my skill level?|what do I know already?|which things are new to me?
We test with a real database.|Coverage must stay above {number} percent.|Every change needs a test.|Flaky tests are deleted.|We run end-to-end tests at night.
What's our testing policy?|how do we test?|what's the required coverage?|what do we do with unreliable tests?|When do integration tests run?
Branches are named after tickets.|We squash commits.|We use trunk-based development.|Releases are tagged on main.|Commit messages are in English.
What's our branching strategy?|how do we merge?|How do we name branches?|what language do we write commits in?|where are releases cut from?
The API returns errors as JSON.|Dates are stored in UTC.|Ids are UUIDs.|Prices are kept in cents.|Endpoints are versioned in the path.
What do error responses look like?|which time zone do we store?|what format are identifiers?|How do we represent money?|how do we version the interface?
Logs go to {tool}.|Metrics are kept for {number} days.|The dashboard is in {tool}.|Alerts fire after {number} minutes.|We page only for customers' problems.
Where do I look for logs?|how do we monitor?|when does somebody get woken up?|Where are the graphs?
Secrets are in the vault.|API keys rotate every {number} days.|Nobody has root access but {name}.|Two-factor login is mandatory.|Laptops are encrypted.
Where are the credentials?|who can log in as administrator?|What's our security policy?|how often are keys exchanged?
The customer wants the export as a spreadsheet.|The client prefers calls to emails.|{company} pays within {number} days.|{company} complained about the delay.|{name} is our contact at {company}.
In which format does the client need it?|who do I talk to at {company}?|how fast do they pay?|What did the customer complain about?
{name} left the team.|{name} joined as a {job}.|{name} is on holiday until {weekday}.|{name} works part-time.|{name} is based in {place}.
Who is new?|who quit?|when is {name} back?|where does {name} sit?|is {name} around?
We hired {number} people {day}.|The team has {number} members.|We're looking for a {job}.|The intern is called {name}.
How big is our team?|which position is open?|who's the trainee?|how many colleagues do I have?
We cancelled the {tech} project.|The experiment failed.|The new design won the A/B test.|Conversion went up by {number} percent.|We lost {number} customers.
What came out of the test?|which initiative was stopped?|how did the numbers develop?|what was the result?
The room seats {number}.|The projector is broken.|The office has moved to {street}.|My desk is by the window.|The kitchen is on floor {number}.
How many people fit in?|where do I sit?|where's the office now?|what's out of order at work?
My homework is due on {weekday}.|My teacher is {name}.|I mix up {subject} terms.|I got {number} out of 100.|I need help with fractions.|I learn with flashcards.
When must I hand it in?|who teaches me?|what do I struggle with?|How did I do in the test?|what's my grade?|how do I study?
My essay is about {noun}.|My presentation is on {subject}.|My thesis supervisor is {name}.|I write my notes by hand.
What's my paper on?|who supervises me?|what topic did I choose?|how do I take notes?
Our landlord is {name}.|We pay {money} for heating.|The neighbours are noisy.|The lease ends in {month}.|Pets aren't allowed in the building.
Who owns our flat?|what are utilities?|when do we have to move out?|May we keep animals?|what bothers me at home?
My grandmother came from {place}.|My {relative} fought in the war.|We have relatives in {place}.|I'm the youngest of {number}.|I'm an only child.
What are my roots?|how many siblings do I have?|where are my ancestors from?|do I have brothers or sisters?
It's too hot for me in {season}.|I love {season}.|I like rain.|I can't stand the cold.
Which season do I prefer?|what weather do I like?|how do I feel about winter?|What climate suits me?
""".strip()
