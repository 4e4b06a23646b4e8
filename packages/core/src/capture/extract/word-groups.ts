const groups = {
  relation: `mother father mum mom dad parents brother sister son daughter wife husband partner girlfriend boyfriend fiance fiancee aunt
    uncle niece nephew cousin grandma grandpa grandmother grandfather granddaughter grandson boss manager colleague teacher supervisor
    doctor dentist coach neighbour neighbor landlord dog cat puppy kitten horse parrot rabbit twin baby kid kids child children family
    friend tutor therapist accountant lawyer team bf gf hubby`,
  like: `like love hate prefer enjoy adore dislike detest favour favor`,
  own: `have own keep drive ride play use wear speak learn study teach`,
  habit: `always never usually normally typically generally mostly every daily weekly monthly each twice`,
  change: `now since anymore switched moved changed became becomes replaced replaces left sold quit stopped died retired instead dropped
    renamed migrated started joined cancelled canceled takes took over gone again stays`,
  does: `is has does goes owns runs leads works lives plays likes loves hates teaches handles reviews maintains eats drinks wants needs takes`,
  ending: `died sold left quit cancelled canceled retired gone dropped stopped ended lost closed bailed scrapped uninstalled
    resigned expired lapsed discontinued terminated ditched axed divorced deleted dumped outgrew outgrown churned bankrupt insolvent`,
  said: `said says say thinks think thought wants told tells claims believes suggests suggested wrote writes insists`,
  someone: `he she they boss manager mother father brother sister wife husband friend neighbour neighbor colleague teacher customer client
    supervisor coach somebody someone everybody people dad mum mom vendor ceo cto cfo lead mother-in-law father-in-law sister-in-law
    brother-in-law guy aunt uncle cousin bf gf hubby`,
  professional: `doctor doctors dr gp physio physiotherapist dentist vet therapist cardiologist dermatologist paediatrician pediatrician midwife nurse
    optician dietician dietitian surgeon allergist lawyer solicitor notary accountant`,
  body: `knee knees back shoulder shoulders ankle hip neck wrist elbow hand hands foot feet leg legs arm arms eye eyes ear ears tooth teeth stomach
    heart head throat skin hamstring calf achilles tendon spine`,
  transient: `today tonight tomorrow yesterday currently momentarily moment sec second minute later soon`,
  weekday: `monday tuesday wednesday thursday friday saturday sunday`,
  weekdays: `mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays weekends`,
  happened: `did had ate slept ran went saw got felt woke drank made came wrote forgot lost found broke sat stood walked tried managed
    finished cooked watched called talked asked missed skipped practised practiced played trained worked cleaned fixed ordered booked paid
    sent read heard met spent used opened closed checked looked noticed visited stayed waited drove flew cycled swam stretched measured baked brought ate drank`,
  lasting: `since moved joined left changed sold passed decided agreed started switched became married born retired named called renamed over
    replaced cancelled canceled bought died founded grew learned learnt studied always never every ago bust bankrupt insolvent`,
  feel: `feel feels felt hurts hurt aches ache itches sore dizzy headache nauseous stiff swollen bleeds stuck confused annoyed proud nervous knackered exhausted shattered wrecked`,
  trait: `vegan vegetarian pescatarian left-handed right-handed ambidextrous colour-blind color-blind colourblind colorblind deaf blind
    dyslexic diabetic asthmatic autistic epileptic coeliac celiac lactose-intolerant gluten-free teetotal pregnant married divorced widowed
    single retired unemployed self-employed freelance freelancer bilingual muslim jewish catholic hindu buddhist nocturnal`,
  occupation: `accountant actor actress actuary anaesthetist analyst apprentice architect artist astronomer athlete auditor author baker banker barber
    barista barrister bartender beekeeper biologist blacksmith bookkeeper bricklayer builder butcher carer caretaker carpenter cashier chef chemist chiropractor
    cleaner coach composer conductor consultant cook coroner counsellor counselor courier curator dancer dentist designer developer dietician dietitian
    doctor drummer economist editor electrician engineer farmer filmmaker firefighter fisherman florist founder gardener geologist goldsmith hairdresser
    historian housewife illustrator interpreter janitor jeweller joiner journalist judge landlord lawyer lecturer librarian locksmith magistrate manager
    marketer mathematician mechanic midwife miner musician nanny notary nurse optician painter paralegal paramedic pastor pensioner pharmacist photographer
    physicist physiotherapist pianist pilot plumber poet policeman politician postman priest programmer psychiatrist psychologist publisher rabbi realtor
    receptionist recruiter referee reporter researcher roofer sailor salesman saleswoman scientist sculptor secretary singer social-worker soldier solicitor
    statistician student supervisor surgeon surveyor tailor teacher therapist translator tutor undertaker vet veterinarian violinist waiter waitress
    watchmaker welder writer zoologist adviser advisor bouncer busker clerk cobbler contractor dispatcher doorman driver fitter fundraiser glazier guard
    handyman instructor intern lifeguard machinist mason masseur operator physician porter professor ranger shepherd shopkeeper steward stylist
    technician trader trainee trainer treasurer warden winemaker`,
  possession: `aquarium allotment apartment bakery balcony bicycle bike boat budgie business cabin cafe camper campervan canary car caravan cat cats chickens
    company dishwasher dog dogs dryer drum drums farm ferret flat garden goats goldfish greenhouse guitar hamster hens horse horses house kitten motorbike
    motorcycle oven parrot piano pony practice puppy rabbit rabbits restaurant sauna scooter sheep shop snake studio telescope tortoise truck tumble-dryer
    turtle ukulele van violin washing-machine yacht`,
  kin: `baby boyfriend brother brothers child children daughter daughters fiance fiancee girlfriend grandchild grandchildren granddaughter grandson husband
    kid kids nephew nephews niece nieces sibling siblings sister sisters son sons stepdaughter stepson toddler triplets twin twins wife`,
  activity: `aerobics aikido archery ballet ballroom bouldering boxing callisthenics capoeira church climbing crossfit cycling dancing diving fencing
    fishing geocaching gymnastics hiking hunting improv jogging judo karate kayaking kickboxing mass meditation mosque parkour pilates pottery rowing
    running sailing salsa skating skiing snowboarding spinning surfing swimming synagogue taekwondo tai-chi tango temple triathlons weightlifting
    yoga zumba`,
  comparative: `shorter longer simpler softer harder bigger smaller warmer cooler brighter darker lighter funnier friendlier clearer nicer louder quieter
    faster slower tighter looser stronger punchier snappier crisper plainer politer cheaper easier better fancier kinder tougher sharper`,
  convention: `naming names name tests testing branches branch commits commit formatting format style spelling units dates currency tone indentation quotes
    imports comments docs documentation errors logging logs headings titles variables functions classes tables folders files filenames migrations releases
    versioning encoding layout reviews casing`,
  worn: `glasses tattoos piercings braces dentures contacts implants hearing-aids freckles dreadlocks stitches crutches`,
  device: `phone laptop computer tablet watch camera keyboard car bike bicycle van motorbike scooter tent kayak guitar piano sofa kitchen bathroom
    house flat boat truck oven fridge stove heating printer monitor router`,
  colour: `red blue green yellow orange purple pink brown black white grey gray turquoise beige silver gold cream navy`,
  condition: `adhd arthritis asthma autism coeliac celiac copd dementia diabetes dyslexia dyspraxia eczema endometriosis epilepsy fibromyalgia glaucoma gout
    haemophilia hemophilia hypertension ibs lupus narcolepsy osteoporosis parkinson parkinson's psoriasis rosacea scoliosis sciatica tinnitus vertigo`,
  project: `repo repository project codebase monorepo service app library package module team company api`,
  format: `apa mla ieee harvard csv json pdf docx xlsx markdown latex html yaml xml metric imperial grams kilos litres liters ounces cups millimetres
    millimeters centimetres centimeters inches celsius fahrenheit kilometres miles euros dollars pounds kroner bullets lowercase uppercase english
    british german french spanish italian dutch norwegian swedish danish`,
  unsure: `if would might perhaps maybe imagine suppose supposing wonder wondering could guess whether assume bet hypothetically`,
  rule: `always never only nobody must rule lesson policy standard required forbidden mandatory every`,
  modal: `must should shall needs need has have may can cannot`,
  be: `is are am was were be been`,
  mood: `great nice good perfect awesome cool fine ok okay super excellent thanks thank cheers sorry lol haha wow sad happy tired hungry
    cold hot bored excited stupid funny lovely wonderful brilliant bye hello hi hey yes yep yeah no nope wrong incorrect right exactly sure true hm hmm
    damn oh ah well love star best easy hard weird morning evening night day welcome please`,
  common: `i we you he she it they the a an and or but so if then this that these those my our your his her its their me us him them
    am is are was were be been being do does did have has had will would can could should shall may might must not no yes to of in on at
    by for from with without as than about into over after before until till since because when while where who what which why how there
    here all any some more most other only just also too very really still ever never always again now ok okay please thanks hi hello
    english-speaking let us good great`,
  verb: `add adjust allow amend answer apply approve archive arrange ask assign avoid begin block book bring build buy bump calculate call cancel change
    charge check choose clean clear close collect come compare continue convert copy correct count create cut deactivate decide define delete
    deliver deploy describe dim disable display do draft draw drop email enable encrypt ensure escape exclude explain export extract fail
    fetch file fill filter find finish fix follow force forget format generate get gimme give go group handle help hide hold ignore import include
    increase inform insert install invite join keep label leave let limit link list load lock log look lower mail make mark measure mention
    merge message migrate monitor move name notify open order organise organize pack paraphrase pay phone pick pin plan play post prefer prepare
    print proceed proofread propose provide publish pull push put quote raise read rebase recommend record reduce refer reformat reject release remember remind
    redo remove rename repeat rephrase replace reply report request reschedule reserve reset restart resume retry return revert review reword rewrite ring rotate round run save
    say schedule search see send separate serve set share ship show shorten skip solve sort speak split squash start stay stick stop strike
    store suggest summarise summarize suppress swallow swap switch sync tag take talk tell test text track translate treat try turn update upgrade upload use
    validate verify wait warn wrap write`,
};

/** Words by what they have in common, as phrases name them. */
export const wordGroups: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(groups).map(([name, words]) => [name, new Set(words.split(/\s+/))]),
);
